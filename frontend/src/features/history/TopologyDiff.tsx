import type { Switch, TopologyRow } from "@/api/types";
import { CopyButton } from "@/ui/CopyButton";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import type { Tone } from "@/ui/StatusIcon";
import css from "./History.module.css";

const TONES: Record<TopologyRow["change"], Tone> = {
  same: "neutral",
  changed: "info",
  added: "ok",
  removed: "warn",
  unknown: "unknown",
};

const COLUMNS: readonly Column<TopologyRow>[] = [
  nameColumn("Role or channel", (row) => row.subject),
  column("Before", (row) => row.before),
  column("After", (row) => row.after),
  column("Change", (row) => <StatusChip tone={TONES[row.change]}>{row.change}</StatusChip>),
];

/** Roles and channels before and after a switch, as a table and as text. */
export function TopologyDiff({ entry }: { entry: Switch }) {
  return (
    <Panel
      title="Topology before and after"
      aside={<CopyButton text={entry.topology_text} label="Copy the comparison" />}
    >
      <DataTable
        caption="Topology before and after"
        columns={COLUMNS}
        rows={entry.topology}
        rowKey={(row) => `${row.subject} ${row.before} ${row.after}`}
        empty="Nothing is known of the topology."
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a section cannot keep the lines of the text */}
      <pre className={css.diff} tabIndex={0} role="region" aria-label="The comparison as text">
        {entry.topology_text}
      </pre>
    </Panel>
  );
}
