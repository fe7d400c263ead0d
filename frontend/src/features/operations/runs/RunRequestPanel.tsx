import type { Run } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";

/** Who requested and who approved the run. */
export function RunRequestPanel({ run }: { run: Run }) {
  return (
    <Panel title="Request and approvals">
      <p>
        {run.requested_by} requested this run <Timestamp at={run.created_at} />
        {run.reason && `: “${run.reason}”`}
      </p>
      {run.calendar_override && (
        <p>
          {run.calendar_override.by} started it in spite of the change calendar: “
          {run.calendar_override.reason}”. {run.calendar_override.objections.join(" ")}
        </p>
      )}
      {run.approvals.map((approval) => (
        <p key={`${approval.round}${approval.at}`}>
          {approval.approver}{" "}
          {approval.is_exception ? "started the run without approval" : "approved the run"}{" "}
          <Timestamp at={approval.at} />: “{approval.comment}”{" "}
          {!approval.counts && <StatusChip tone="warn">counts no more</StatusChip>}
        </p>
      ))}
      {run.accepted_servers.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p className="dim">
        request <code>{run.request_id}</code> · epoch {run.epoch} ·{" "}
        <AppLink to="/audit" search={{ run: run.id }}>
          audit log
        </AppLink>
      </p>
    </Panel>
  );
}
