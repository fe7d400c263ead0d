import type { StateTransfer } from "@/api/types";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";

type Tuning = StateTransfer["checklist"][number];

const COLUMNS: readonly Column<Tuning>[] = [
  nameColumn("Check", ({ title }) => title),
  column("What to do", ({ what }) => what),
  column("Evidence", ({ evidence }) => <span className="dim">{evidence}</span>),
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
