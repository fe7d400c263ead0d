import type { WaitingRun } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import { TimeUntil } from "@/components/TimeUntil";
import { approvalProgress } from "@/domain/pending-approvals";
import css from "./Waiting.module.css";

/** A run that waits for an approval; its page shows the plan to approve. */
export function PendingRunItem({ run }: { run: WaitingRun }) {
  return (
    <li className={css.entry}>
      <p className={css.what}>
        <AppLink to="/runs/$runId/approve" params={{ runId: run.run_id }}>
          {run.summary || `${run.kind} ${run.link_name}`}
        </AppLink>
      </p>
      <p className="dim">
        Requested by {run.requested_by} on link {run.link_name}, <Timestamp at={run.requested_at} />
        . {approvalProgress(run)}
        {run.expires_at && (
          <>
            {" "}
            Can be approved until <TimeUntil at={run.expires_at} />.
          </>
        )}
      </p>
      {run.why_not && <p className="dim">{run.why_not}</p>}
    </li>
  );
}
