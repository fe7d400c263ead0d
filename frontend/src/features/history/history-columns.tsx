import type { Switch } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import { operationLabel } from "@/domain/operations";
import { statusFor } from "@/domain/status";
import { formatDuration } from "@/lib/format/time";
import type { Column } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import { lossStatus } from "./loss-status";

function What({ entry }: { entry: Switch }) {
  const { told } = entry;
  return (
    <>
      <AppLink to="/history/$runId" params={{ runId: entry.id }}>
        {told.who_and_what}
      </AppLink>
      <div className="dim">
        {told.from_to} {told.position}
      </div>
      <div className="dim">
        {told.why} {told.outcome}
      </div>
      {entry.is_exception && <StatusChip tone="bad">without approval</StatusChip>}
    </>
  );
}

export const HISTORY_COLUMNS: readonly Column<Switch>[] = [
  { key: "at", header: "Confirmed", nowrap: true, cell: (e) => <Timestamp at={e.created_at} /> },
  { key: "link", header: "Link", cell: (e) => e.link_name },
  { key: "kind", header: "Operation", cell: (e) => operationLabel(e.kind) },
  { key: "what", header: "What happened", isRowHeader: true, cell: (e) => <What entry={e} /> },
  {
    key: "outcome",
    header: "Outcome",
    cell: (e) => {
      const status = statusFor("run", e.state);
      return <StatusChip tone={status.tone}>{status.word}</StatusChip>;
    },
  },
  {
    key: "loss",
    header: "Data loss",
    cell: (e) => {
      const status = lossStatus(e.loss);
      return <StatusChip tone={status.tone}>{status.word}</StatusChip>;
    },
  },
  {
    key: "duration",
    header: "Duration",
    align: "right",
    cell: (e) => formatDuration(e.duration_s),
  },
  {
    key: "raw",
    header: "Raw records",
    cell: (e) => (
      <AppLink to="/audit" search={{ run: e.id }} aria-label={`Audit records of ${e.id}`}>
        records
      </AppLink>
    ),
  },
];
