import type { AbsentNode, NodeAbsence } from "@/api/types";
import { formatBytes } from "@/lib/format/number";
import { type Column, DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { AbsenceTimeText } from "./AbsenceTimeText";
import { AbsentNodeDetails } from "./AbsentNodeDetails";
import { formatSpan } from "./span";
import { VERDICTS } from "./verdicts";

type Window = NodeAbsence["rates"][number]["window"];

function Gcache({ gcache }: Pick<AbsentNode, "gcache">) {
  if (gcache.size_bytes === null) return <span className="faint">unknown</span>;
  const fill = gcache.is_full === null ? "" : gcache.is_full ? ", full" : ", filling";
  return (
    <>
      {formatBytes(gcache.size_bytes)}
      <span className="dim">{fill}</span>
    </>
  );
}

const timeColumn = (window: Window, header: string): Column<AbsentNode> => ({
  key: window,
  header,
  align: "right",
  nowrap: true,
  cell: ({ times }) => <AbsenceTimeText time={times.find((time) => time.window === window)} />,
});

const COLUMNS: readonly Column<AbsentNode>[] = [
  { key: "node", header: "Node", isRowHeader: true, nowrap: true, cell: ({ name }) => name },
  {
    key: "verdict",
    header: "Now",
    cell: ({ verdict, alarm_since: alarm }) => (
      <div className="row">
        <StatusChip tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].label}</StatusChip>
        {alarm && <StatusChip tone="warn">below the threshold</StatusChip>}
      </div>
    ),
  },
  timeColumn("minutes", "As now"),
  timeColumn("hour", "Last hour"),
  timeColumn("week", "Last week"),
  timeColumn("busiest_hour", "Busiest hour"),
  {
    key: "gcache",
    header: "gcache",
    align: "right",
    cell: (node) => <Gcache gcache={node.gcache} />,
  },
];

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
        <DataTable
          caption={`Nodes of ${absence.cluster_name} and how long they may be away`}
          columns={COLUMNS}
          rows={absence.nodes}
          rowKey={(node) => node.id}
          empty="The cluster has no registered node."
          details={(node) => <AbsentNodeDetails node={node} clusterId={absence.cluster_id} />}
          detailsLabel={(node) => node.name}
        />
      </div>
    </Panel>
  );
}
