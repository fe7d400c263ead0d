import { useQuery } from "@tanstack/react-query";
import { pendingApprovalsQuery } from "@/api/resources/pending-approvals";
import type { UnreviewedException, Waiting, WaitingRun } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ReviewForm } from "@/components/ReviewForm";
import { Timestamp } from "@/components/Timestamp";
import { TimeUntil } from "@/components/TimeUntil";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { ProtectedChangeItem } from "./ProtectedChangeItem";
import css from "./Waiting.module.css";

function RunEntry({ run }: { run: WaitingRun }) {
  return (
    <li className={css.entry}>
      <p className={css.what}>
        <AppLink to="/runs/$runId" params={{ runId: run.run_id }}>
          {run.summary || `${run.kind} ${run.link_name}`}
        </AppLink>
      </p>
      <p className="dim">
        {run.requested_by} asks for it on {run.link_name} since <Timestamp at={run.requested_at} />
        {run.expires_at && (
          <>
            ; it can be approved until <TimeUntil at={run.expires_at} />
          </>
        )}
      </p>
    </li>
  );
}

function ExceptionEntry({ exception }: { exception: UnreviewedException }) {
  return (
    <li className={css.entry}>
      <p className={css.what}>
        <StatusChip tone="bad">Without a second person</StatusChip>{" "}
        <AppLink to="/runs/$runId" params={{ runId: exception.run_id }}>
          the run on {exception.link_name}
        </AppLink>
      </p>
      <p>
        {exception.approver} let it begin <Timestamp at={exception.at} />: “{exception.comment}”
      </p>
      <ReviewForm runId={exception.run_id} people={[exception.requested_by, exception.approver]} />
    </li>
  );
}

const Runs = ({ runs }: { runs: Waiting["runs"] }) => (
  <Panel title="Runs" aside="approved on the run's page">
    {runs.length === 0 && <p className="dim">No run waits for an approval.</p>}
    <ul>
      {runs.map((run) => (
        <RunEntry key={run.run_id} run={run} />
      ))}
    </ul>
  </Panel>
);

const Changes = ({ changes }: { changes: Waiting["changes"] }) => (
  <Panel title="Protected changes" aside="confirmed by a second administrator">
    {changes.length === 0 && <p className="dim">No change waits for a second administrator.</p>}
    <ul>
      {changes.map((change) => (
        <ProtectedChangeItem key={change.id} change={change} />
      ))}
    </ul>
  </Panel>
);

const Exceptions = ({ exceptions }: { exceptions: Waiting["exceptions"] }) => (
  <Panel
    title="Exceptions without a second person"
    {...(exceptions.length > 0 ? { tone: "bad" as const } : {})}
  >
    {exceptions.length === 0 && <p className="dim">No exception waits for a review.</p>}
    <ul>
      {exceptions.map((exception) => (
        <ExceptionEntry key={`${exception.run_id}${exception.at}`} exception={exception} />
      ))}
    </ul>
  </Panel>
);

/** All that waits for a second person: runs, protected changes, and exceptions nobody has reviewed. */
export function WaitingPage() {
  const query = useQuery(pendingApprovalsQuery());
  return (
    <>
      <PageHeader title="Waiting for a second person" />
      <QueryBoundary<Waiting> query={query} label="what waits">
        {(waiting) => (
          <div className="stack">
            <Runs runs={waiting.runs} />
            <Changes changes={waiting.changes} />
            <Exceptions exceptions={waiting.exceptions} />
          </div>
        )}
      </QueryBoundary>
    </>
  );
}
