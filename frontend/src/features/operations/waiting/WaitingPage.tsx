import { useQuery } from "@tanstack/react-query";
import { pendingApprovalsQuery } from "@/api/resources/pending-approvals";
import type { UnreviewedException, Waiting } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ReviewForm } from "@/components/ReviewForm";
import { Timestamp } from "@/components/Timestamp";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { PendingRunItem } from "./PendingRunItem";
import { ProtectedChangeItem } from "./ProtectedChangeItem";
import css from "./Waiting.module.css";

/** A run that started without an approval and that another user must review. */
function UnreviewedExceptionItem({ exception }: { exception: UnreviewedException }) {
  return (
    <li className={css.entry}>
      <p className={css.what}>
        <StatusChip tone="bad">Started without approval</StatusChip>{" "}
        <AppLink to="/runs/$runId" params={{ runId: exception.run_id }}>
          Run on {exception.link_name}
        </AppLink>
      </p>
      <p>
        Exception by {exception.approver}, <Timestamp at={exception.at} />: “{exception.comment}”
      </p>
      <ReviewForm runId={exception.run_id} people={[exception.requested_by, exception.approver]} />
    </li>
  );
}

const Runs = ({ runs }: { runs: Waiting["runs"] }) => (
  <Panel title="Runs" aside="decided on the page of the decision">
    {runs.length === 0 && <p className="dim">No run needs an approval.</p>}
    <ul>
      {runs.map((run) => (
        <PendingRunItem key={run.run_id} run={run} />
      ))}
    </ul>
  </Panel>
);

const Changes = ({ changes }: { changes: Waiting["changes"] }) => (
  <Panel title="Protected changes" aside="confirmed by a second administrator">
    {changes.length === 0 && <p className="dim">No change needs a confirmation.</p>}
    <ul>
      {changes.map((change) => (
        <ProtectedChangeItem key={change.id} change={change} />
      ))}
    </ul>
  </Panel>
);

const Exceptions = ({ exceptions }: { exceptions: Waiting["exceptions"] }) => (
  <Panel title="Unreviewed exceptions" {...(exceptions.length > 0 ? { tone: "bad" as const } : {})}>
    {exceptions.length === 0 && <p className="dim">No exception needs a review.</p>}
    <ul>
      {exceptions.map((exception) => (
        <UnreviewedExceptionItem key={`${exception.run_id}${exception.at}`} exception={exception} />
      ))}
    </ul>
  </Panel>
);

/** Everything that needs another user's decision: runs, protected changes and unreviewed exceptions. */
export function WaitingPage() {
  const query = useQuery(pendingApprovalsQuery());
  return (
    <>
      <PageHeader title="Pending approvals" />
      <QueryBoundary<Waiting> query={query} label="the pending approvals">
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
