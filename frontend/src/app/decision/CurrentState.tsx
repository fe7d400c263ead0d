import type { RunDecision } from "@/api/types";
import { FactChangeTable } from "@/components/FactChangeTable";
import { Timestamp } from "@/components/Timestamp";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";

/** Whether the servers still are as the plan found them. */
function Changes({ decision }: { decision: RunDecision }) {
  if (decision.checked_at === null) return null;
  if (decision.changes.length === 0)
    return (
      <Callout
        tone="ok"
        title="The cluster state is as planned."
        description={
          <>
            The plan was created <Timestamp at={decision.plan_created_at} />, and the servers were
            compared with it <Timestamp at={decision.checked_at} />.
          </>
        }
      />
    );
  return (
    <Panel title="Changed since the plan was created" tone="bad">
      <p>An approval is refused while the servers differ from the plan. Reject the run.</p>
      <FactChangeTable changes={decision.changes} />
    </Panel>
  );
}

/** What is true now, besides the plan: changes of the servers, and the change calendar. */
export function CurrentState({ decision }: { decision: RunDecision }) {
  return (
    <>
      <Changes decision={decision} />
      {decision.objections.map((objection) => (
        <Callout key={objection.sentence} tone="warn" title={objection.sentence} />
      ))}
      {decision.overridden.map((objection) => (
        <Callout
          key={objection.sentence}
          tone="warn"
          title={`Overridden by the requester: ${objection.sentence}`}
        />
      ))}
    </>
  );
}
