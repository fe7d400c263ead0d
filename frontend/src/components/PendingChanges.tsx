import { useQuery } from "@tanstack/react-query";
import { pendingApprovalsQuery } from "@/api/resources/pending-approvals";
import { changesAbout } from "@/domain/pending-approvals";
import { Panel } from "@/ui/Panel";
import { AppLink } from "./AppLink";
import { TimeUntil } from "./TimeUntil";

/** The protected changes of a user or a link that are not in effect yet, and where they are confirmed. */
export function PendingChanges({ target, kind }: { target: string; kind?: string }) {
  const { data } = useQuery(pendingApprovalsQuery());
  const changes = changesAbout(data, target, kind);
  if (changes.length === 0) return null;
  return (
    <Panel tone="warn">
      <div role="status" className="stack">
        {changes.map((change) => (
          <p key={change.id}>
            Pending change: {change.summary} It takes effect <TimeUntil at={change.effective_at} />,
            or earlier if a second administrator confirms it under{" "}
            <AppLink to="/waiting">Approvals</AppLink>.
          </p>
        ))}
      </div>
    </Panel>
  );
}
