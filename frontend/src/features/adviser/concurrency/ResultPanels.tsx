import type { Concurrency } from "@/api/types";
import { formatNumber } from "@/lib/format/number";
import { column, nameColumn, numberColumn } from "@/ui/DataTable";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { FigureTable, figure } from "../FigureTable";

type Site = Concurrency["sites"][number];
type Rate = Concurrency["rates"][number];

/** A round trip names its far site twice in the answer, and once here. */
const wayText = (way: readonly number[]) =>
  way.filter((site, at) => site !== way[at - 1]).join(" → ");

const SITES = [
  nameColumn<Site>("Writer at", ({ site }) => `Site ${site}`),
  figure<Site>("Latency", ({ latency_ms: ms }) => `${ms} ms`),
  figure<Site>("Round trips", ({ round_trips: trips }) => trips),
  column<Site>("Longest way, by sites", ({ way }) => wayText(way)),
];

const perSecond = (value: number) => formatNumber(Math.round(value * 10) / 10);

const RATES = [
  nameColumn<Rate>("Writers", ({ writers }) => writers),
  numberColumn<Rate>("Commits/s", ({ low_per_s: low, high_per_s: high }) =>
    low === null || high === null ? (
      <span className="faint">not limited here</span>
    ) : low === high ? (
      perSecond(low)
    ) : (
      `${perSecond(low)} to ${perSecond(high)}`
    ),
  ),
];

function writersText({ writers_needed: needed }: Concurrency): string | null {
  if (needed === null) return "No rate is asked for.";
  if (needed.writers === null) return needed.reason;
  return [formatNumber(needed.writers), needed.reason].filter(Boolean).join(". ");
}

/** One commit from each site, and many of them at a time. */
export function ResultPanels({ result }: { result: Concurrency }) {
  return (
    <>
      <Panel title="One commit">
        <div className="stack">
          <p className="dim">
            A commit waits for the longest closed triangle of one-way delays, because every member
            must know that every other one has it. Measured commits took 1 to 4 ms more.
          </p>
          <FigureTable
            caption="Latency of one commit by the writer's site"
            columns={SITES}
            rows={result.sites}
            empty="No site is given."
          />
          <DescriptionList
            items={[
              ["Commit with the large write-set", `${Math.round(result.write_set_ms)} ms or more`],
            ]}
          />
        </div>
      </Panel>
      <Panel title="Many writers">
        <div className="stack">
          <p className="dim">
            Writers overlap. With a send window of 2 a commit costs 1.2 round trips at 4 writers and
            1.7 at 16 and more, with 512 it costs 1.04. Between them only the bounds are known. With
            1 % of packets lost a large window gained nothing.
          </p>
          <DescriptionList items={[["Writers needed", writersText(result)]]} />
          <FigureTable
            caption="Commits a second by number of writers"
            columns={RATES}
            rows={result.rates}
            empty="No rate is known."
          />
        </div>
      </Panel>
    </>
  );
}
