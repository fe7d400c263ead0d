import type { StateTransfer } from "@/api/types";
import { type Column, DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";

type Tuning = StateTransfer["checklist"][number];

const COLUMNS: readonly Column<Tuning>[] = [
  { key: "title", header: "Check", isRowHeader: true, cell: ({ title }) => title },
  { key: "what", header: "What to do", cell: ({ what }) => what },
  {
    key: "evidence",
    header: "Evidence",
    cell: ({ evidence }) => <span className="dim">{evidence}</span>,
  },
];

/** What to set or check before an SST, and whether it was measured. */
export function ChecklistPanel({ checklist }: { checklist: readonly Tuning[] }) {
  return (
    <Panel title="Before an SST">
      <DataTable
        caption="Checklist before an SST"
        columns={COLUMNS}
        rows={checklist}
        rowKey={(tuning) => tuning.key}
        empty="Nothing to check."
      />
    </Panel>
  );
}
