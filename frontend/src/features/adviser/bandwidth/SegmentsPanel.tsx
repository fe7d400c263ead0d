import type { Bandwidth } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { pluralize } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { column, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { FigureTable, figure } from "../FigureTable";
import { rateText } from "./rates";

type Placed = Bandwidth["nodes"][number];

const written = (header: string, window: "hour" | "week") => {
  const of = (node: Placed) => node.written.find((one) => one.window === window);
  return figure<Placed>(
    header,
    (node) => {
      const bytes = of(node)?.bytes_per_s ?? null;
      return bytes === null ? null : rateText(bytes);
    },
    (node) => of(node)?.reason,
  );
};

const COLUMNS = [
  nameColumn<Placed>("Node", ({ name }) => name),
  figure<Placed>("Segment", ({ segment }) => segment),
  column<Placed>("Now", ({ is_member: isMember }) =>
    isMember ? "synced member" : <span className="dim">no synced member, left out below</span>,
  ),
  written("Write-sets of its own, last hour", "hour"),
  written("Last week", "week"),
];

function segmentsText({ segments, segments_reason: reason }: Bandwidth): string {
  if (segments === null) return `${reason} Bytes of pairs are unknown until it was read.`;
  if (segments.length === 1)
    return `All members are in segment ${segments[0]}: each node sends its write-sets to each other one.`;
  return (
    `Segments ${segments.join(", ")}. A node sends its write-sets once to each node of its own ` +
    "segment, and once to each other segment: to a relay, which sends them on there."
  );
}

function othersText({ other_members: count }: Bandwidth): string {
  if (count === null) return "Whether there are members that are not registered is unknown.";
  if (count === 0) return "All members are registered.";
  return (
    `${pluralize(count, "more member")} ${count === 1 ? "is" : "are"} not registered, for example an ` +
    `arbitrator. It receives every write-set in full (1.19 of 1.19 MB, measured), ` +
    "so it needs the writers' bandwidth. Its segment cannot be read, so the upper bounds below include it."
  );
}

/** Advice on segments and multicast that is given now. */
export function SegmentAdvice({ found }: { found: Bandwidth }) {
  return found.advice.map((one) => (
    <Callout
      key={one.code}
      tone={one.risk === "high" ? "bad" : "warn"}
      title={one.title}
      description={`${one.fact} ${one.consequence} ${one.evidence}`}
      actions={
        <AppLink to="/clusters/$clusterId/advice" params={{ clusterId: found.cluster_id }}>
          Advice with its remedy
        </AppLink>
      }
    />
  ));
}

/** Which node is in which segment. */
export function SegmentsPanel({ found }: { found: Bandwidth }) {
  const hasRelays = found.segments !== null && found.segments.length > 1;
  return (
    <Panel title="Segments" aside="gmcast.segment of each node">
      <div className="stack">
        <p className="dim">
          {segmentsText(found)} {othersText(found)}
        </p>
        <FigureTable
          caption={`Segments of ${found.cluster_name}`}
          columns={COLUMNS}
          rows={found.nodes}
          empty="The cluster has no nodes."
        />
        {hasRelays && (
          <p className="dim">
            There is not one relay only: each sender has its own, which follows from its place among
            the members and changes when they do. Acknowledgements of the other nodes cross, too, so
            several pairs carry some.
          </p>
        )}
      </div>
    </Panel>
  );
}
