import { useQuery } from "@tanstack/react-query";
import { pendingApprovalsQuery } from "@/api/resources/pending-approvals";
import { changesAbout } from "@/domain/pending-approvals";
import { Panel } from "@/ui/Panel";
import { AppLink } from "./AppLink";
import { TimeUntil } from "./TimeUntil";

/** Says of a user or a link which changes were held back, until when, and where they are confirmed. */
export function PendingChanges({ target }: { target: string }) {
  const { data } = useQuery(pendingApprovalsQuery());
  const changes = changesAbout(data, target);
  if (changes.length === 0) return null;
  return (
    <Panel tone="warn">
      <div role="status" className="stack">
        {changes.map((change) => (
          <p key={change.id}>
            Held back: {change.summary} It takes effect <TimeUntil at={change.effective_at} />, or
            when a second administrator confirms it under <AppLink to="/waiting">Waiting</AppLink>.
          </p>
        ))}
      </div>
    </Panel>
  );
}
