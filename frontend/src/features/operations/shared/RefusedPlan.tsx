import { Button } from "@mantine/core";
import type { Finding, Plan } from "@/api/types";
import { FindingList } from "@/components/FindingList";
import { ProblemAlert } from "@/components/ProblemAlert";
import type { StepLink } from "@/components/workflow/step-link";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { toPlanRequest, useCreatePlan } from "./use-create-plan";

/** What refuses a plan: a blocker, or a fact nobody knows. */
export const isBlocking = (finding: Finding): boolean =>
  finding.severity === "blocker" || finding.severity === "unknown";

const grave = (plan: Plan) => plan.findings.filter(isBlocking);

const unprovenPositions = (plan: Plan) =>
  plan.positions.filter((position) => !position.proven && !position.provisional);

function sentence(plan: Plan): string {
  const count = grave(plan).length + unprovenPositions(plan).length;
  return count === 1 ? "Refused, for one reason." : `Refused, for ${count} reasons.`;
}

/** Ask again with the same wishes: the facts may have changed. */
export function ReplanButton({
  plan,
  nextPage,
  words = "Check again",
}: {
  plan: Plan;
  nextPage: (plan: Plan) => StepLink;
  words?: string;
}) {
  const planning = useCreatePlan(plan.link_id, nextPage);
  return (
    <>
      {planning.isError && <ProblemAlert error={planning.error} action="Planning" />}
      <Button
        variant="default"
        loading={planning.isPending}
        onClick={() => planning.create(toPlanRequest(plan))}
      >
        {words}
      </Button>
    </>
  );
}

/** A refused plan: what stands in the way, and what to do about each. */
export function RefusedPlan({
  plan,
  nextPage,
}: {
  plan: Plan;
  nextPage: (plan: Plan) => StepLink;
}) {
  if (plan.state !== "refused") return null;
  return (
    <>
      <Callout
        tone="bad"
        title={sentence(plan)}
        description={`${(plan.summary || "Nothing was changed").replace(/\.$/, "")}. Nothing can be started from this plan. Put right what it names, then check again.`}
        actions={<ReplanButton plan={plan} nextPage={nextPage} />}
      />
      <Panel title="What stands in the way" tone="bad">
        <FindingList findings={grave(plan)} showCodes />
        {unprovenPositions(plan).map((position) => (
          <div key={position.direction} className="note">
            <p className="strong">
              The {position.direction} channel. {position.verdict}
            </p>
            <ul className="dim">
              {position.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </div>
        ))}
      </Panel>
    </>
  );
}
