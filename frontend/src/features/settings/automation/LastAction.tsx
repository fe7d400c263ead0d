import type { Automation } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";

type Action = NonNullable<Automation["last_action"]>;

function ActionSummary({ action }: { action: Action }) {
  return (
    <>
      Last action <Timestamp at={action.at} />: {action.outcome.replaceAll("_", " ")}.{" "}
      {action.reason && `Reason: ${action.reason.replace(/\.$/, "")}. `}
      {action.plan_id && (
        <AppLink to="/plans/$planId/plan" params={{ planId: action.plan_id }}>
          View plan
        </AppLink>
      )}{" "}
      {action.run_id && (
        <AppLink to="/runs/$runId" params={{ runId: action.run_id }}>
          View run
        </AppLink>
      )}
    </>
  );
}

/** The state of an automatic operation: why it takes no action now, and its last action. */
export function LastAction({
  automation,
}: {
  automation: Pick<Automation, "reason" | "observed_at" | "last_action">;
}) {
  return (
    <p className="dim">
      {automation.reason}{" "}
      {automation.observed_at && (
        <>
          Last check <Timestamp at={automation.observed_at} />.{" "}
        </>
      )}
      {automation.last_action && <ActionSummary action={automation.last_action} />}
    </p>
  );
}
