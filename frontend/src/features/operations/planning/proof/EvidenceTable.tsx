import type { Evidence } from "@/api/types";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";

const SOURCE: Record<Evidence["family"], string> = {
  seqno: "Seqno",
  gtid: "GTID",
  content: "Content",
  journal: "Position history",
  channel: "Channel",
  heartbeat: "Heartbeat",
  aligned_seqno: "Aligned seqno",
  backup: "Backup",
  gtid_set: "GTID set",
};

function Result({ agrees }: { agrees: boolean | null }) {
  if (agrees === null) return <StatusChip tone="unknown">not available</StatusChip>;
  return agrees ? (
    <StatusChip tone="ok">agrees</StatusChip>
  ) : (
    <StatusChip tone="bad">disagrees</StatusChip>
  );
}

type NumberedEvidence = Evidence & { index: number };

const COLUMNS: Column<NumberedEvidence>[] = [
  nameColumn("Source", (entry) => <span className="strong">{SOURCE[entry.family]}</span>, {
    nowrap: true,
  }),
  column("Result", (entry) => <Result agrees={entry.agrees} />, { nowrap: true }),
  column("Detail", (entry) => (
    <span className={entry.agrees === null ? "dim" : undefined}>{entry.detail}</span>
  )),
];

/** What each evidence source says about a position. A source can occur twice. */
export function EvidenceTable({ evidence }: { evidence: readonly Evidence[] }) {
  return (
    <DataTable
      caption="Evidence"
      columns={COLUMNS}
      rows={evidence.map((entry, index) => ({ ...entry, index }))}
      rowKey={(entry) => entry.index}
      empty="No evidence."
    />
  );
}
