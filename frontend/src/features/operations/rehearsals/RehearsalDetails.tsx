import type { Rehearsal } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { FindingList } from "@/components/FindingList";
import { pluralize } from "@/lib/format/number";
import { formatDuration } from "@/lib/format/time";
import { type Column, column, DataTable, nameColumn, numberColumn } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";

type Timing = Rehearsal["timings"][number];

const COLUMNS: readonly Column<Timing>[] = [
  nameColumn("Check", (timing) => timing.check),
  column("Result", ({ ok }) => (
    <StatusChip tone={ok ? "ok" : "bad"}>{ok ? "passed" : "failed"}</StatusChip>
  )),
  numberColumn("Duration", (timing) => formatDuration(timing.ms / 1000)),
  column("Details", (timing) => <span className="dim">{timing.sentence}</span>),
];

/** The checks of a rehearsal with their times, its findings, and the data loss it computed. */
export function RehearsalDetails({ rehearsal }: { rehearsal: Rehearsal }) {
  const { timings, loss, findings, steps, summary } = rehearsal;
  return (
    <div className="stack">
      <DataTable
        caption="Checks of the rehearsal"
        columns={COLUMNS}
        rows={timings}
        rowKey={(timing) => timings.indexOf(timing)}
        empty="No check was run."
      />
      {loss.detail && (
        <p className="dim">
          <b>Data loss: </b>
          {loss.detail}
        </p>
      )}
      <FindingList findings={findings} showCodes />
      <p>
        <AppLink to="/rehearsals/$rehearsalId/certificate" params={{ rehearsalId: rehearsal.id }}>
          View certificate
        </AppLink>
      </p>
      <p className="faint">
        A run would have had {pluralize(steps.length, "step")}. {summary}
      </p>
    </div>
  );
}
