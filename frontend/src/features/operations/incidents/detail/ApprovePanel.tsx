import { useApproveIncident } from "@/api/resources/incidents";
import type { Incident } from "@/api/types";
import { CommentForm } from "@/components/CommentForm";
import { useCan, useCurrentUser } from "@/components/use-session";
import { Panel } from "@/ui/Panel";

function Decision({ incident }: { incident: Incident }) {
  const me = useCurrentUser();
  const mayApprove = useCan("approve");
  const approving = useApproveIncident(incident.id);
  if (me?.username === incident.confirmed_by)
    return (
      <p className="dim note">
        You confirmed this incident, so another user with the approver role must approve it.
      </p>
    );
  if (!mayApprove)
    return <p className="dim note">Your role can view this incident but not approve it.</p>;
  return (
    <CommentForm
      submitLabel="Approve all operations"
      isRequired
      isPending={approving.isPending}
      action="approve the incident"
      onSubmit={(comment) => approving.mutateAsync({ digest: incident.digest, comment })}
    />
  );
}

/** Links that need a second person: all at once by the confirmed digest, or each on the page of its run. */
export function ApprovePanel({ incident }: { incident: Incident }) {
  if (incident.state !== "running" || !incident.needs_approval) return null;
  return (
    <Panel title="Approval required" tone="warn">
      <p>
        {incident.confirmed_by} confirmed this incident: “{incident.reason}”. Links that need a
        second person wait for one. An approval of all counts for each of them when its turn comes,
        and only where it would count for that run alone.
      </p>
      <Decision incident={incident} />
    </Panel>
  );
}
