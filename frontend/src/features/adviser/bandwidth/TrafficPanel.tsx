import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { Bandwidth } from "@/api/types";
import { nameColumn } from "@/ui/DataTable";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { FigureTable, figure } from "../FigureTable";
import { spanText, WINDOWS } from "./rates";

type Computed = Bandwidth["computed"][number];

type Row = readonly [sender: string, to: (receiver: string) => string, total: string];

const textOf = (found: Parameters<typeof spanText>[0] | undefined) =>
  found ? spanText(found) : "unknown";

function MatrixTable({ pairs, outbound }: Computed) {
  const names = [...new Set(pairs.flatMap(({ sender, receiver }) => [sender, receiver]))];
  const rows = names.map((sender): Row => {
    const to = (receiver: string) =>
      receiver === sender
        ? "–"
        : textOf(pairs.find((pair) => pair.sender === sender && pair.receiver === receiver));
    return [sender, to, textOf(outbound.find(({ node }) => node === sender))];
  });
  return (
    <FigureTable
      caption="Computed bytes by pair of nodes"
      columns={[
        nameColumn<Row>("From", ([sender]) => sender, { nowrap: true }),
        ...names.map((name) => figure<Row>(`to ${name}`, ([, to]) => to(name))),
        figure<Row>("Sends in all", ([, , total]) => total),
      ]}
      rows={rows}
      empty="No pair is known."
    />
  );
}

function ComputedTraffic({ found }: { found: Computed }) {
  if (found.reason) return <p>Unknown. {found.reason}</p>;
  return (
    <>
      <p className="dim">
        Computed: bytes of write-sets x 1.11 to 1.18 for each copy, as measured. “Up to” is a pair
        that carries all or nothing, by who the relay is. Acknowledgements and state transfers are
        left out.
      </p>
      <MatrixTable {...found} />
      {found.across.length > 0 && (
        <DescriptionList
          items={[
            ...found.across.map(
              (pair) => [`Segment ${pair.sender} to ${pair.receiver}`, spanText(pair)] as const,
            ),
            ["Each copy", "x 1.11 to 1.45 there, since all acknowledgements cross as well"],
          ]}
        />
      )}
    </>
  );
}

/** Bytes of each ordered pair of nodes, computed. */
export function TrafficPanel({ found }: { found: Bandwidth }) {
  const [shown, setShown] = useState<string>("hour");
  const computed = found.computed.find(({ window }) => window === shown);
  return (
    <Panel title="Bytes from node to node">
      <div className="stack">
        <div>
          <SegmentedControl
            aria-label="Figures of"
            value={shown}
            onChange={setShown}
            data={found.computed.map(({ window }) => ({ value: window, label: WINDOWS[window] }))}
          />
        </div>
        {computed && <ComputedTraffic found={computed} />}
      </div>
    </Panel>
  );
}
