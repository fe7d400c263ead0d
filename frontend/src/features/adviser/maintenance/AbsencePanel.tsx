import type { AbsenceTime, AbsentNode, NodeAbsence } from "@/api/types";
import { formatBytes } from "@/lib/format/number";
import { column, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { Unknown } from "@/ui/Unknown";
import { FigureTable, figure } from "../FigureTable";
import { AbsentNodeDetails } from "./AbsentNodeDetails";
import { formatSpan } from "./span";
import { VERDICTS } from "./verdicts";

type Window = NodeAbsence["rates"][number]["window"];

function gcacheText({ gcache }: AbsentNode) {
  if (gcache.size_bytes === null) return null;
  const fill = gcache.is_full === null ? "" : gcache.is_full ? ", full" : ", filling";
  return (
    <>
      {formatBytes(gcache.size_bytes)}
      <span className="dim">{fill}</span>
    </>
  );
}

const time = (header: string, window: Window) =>
  figure<AbsentNode>(header, ({ times }) => (
    <AbsenceTimeText time={times.find((one) => one.window === window)} />
  ));

const COLUMNS = [
  nameColumn<AbsentNode>("Node", ({ name }) => name, { nowrap: true }),
  column<AbsentNode>("Now", ({ verdict, alarm_since: alarm }) => (
    <div className="row">
      <StatusChip tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].label}</StatusChip>
      {alarm && <StatusChip tone="warn">below the threshold</StatusChip>}
    </div>
  )),
  time("As now", "minutes"),
  time("Last hour", "hour"),
  time("Last week", "week"),
  time("Busiest hour", "busiest_hour"),
  figure<AbsentNode>("gcache", gcacheText),
];

/** A time until an SST, or in words why there is none; the reason is in the tooltip and in the details. */
function AbsenceTimeText({ time: of }: { time: AbsenceTime | undefined }) {
  if (of === undefined || of.state === "unknown") return <Unknown why={of?.reason} />;
  if (of.state === "unlimited") return <span title={of.reason}>no limit</span>;
  return formatSpan(of.seconds ?? 0);
}

/** Until when each node returns by IST, at the write rate of four times. */
export function AbsencePanel({ absence }: { absence: NodeAbsence }) {
  const { threshold_s: threshold } = absence;
  return (
    <Panel title="Time away before an SST">
      <div className="stack">
        <p className="dim">
          A node that returns receives only what it missed (IST) while a donor's gcache still holds
          it, and a copy of all data (SST) after that. Each column is the time left if writes go on
          as in that time.{" "}
          {threshold
            ? `Below ${formatSpan(threshold)} at the rate of the last hour a warning is raised.`
            : "No warning is set."}{" "}
          Open a node to prepare its maintenance.
        </p>
        <FigureTable
          caption={`Nodes of ${absence.cluster_name} and how long they may be away`}
          columns={COLUMNS}
          rows={absence.nodes}
          empty="The cluster has no registered node."
          details={(node) => <AbsentNodeDetails node={node} clusterId={absence.cluster_id} />}
          detailsLabel={(node) => node.name}
        />
      </div>
    </Panel>
  );
}
