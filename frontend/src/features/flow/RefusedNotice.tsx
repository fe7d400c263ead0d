import { Button } from "@mantine/core";
import type { Finding, Plan } from "@/api/types";
import { Findings } from "@/components/Findings";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Panel } from "@/ui/Panel";
import { Statement } from "@/ui/Statement";
import { usePlanning, wishOf } from "./useFlow";

/** What refuses a plan: a blocker, or a fact nobody knows. */
export const isGrave = (finding: Finding): boolean =>
  finding.severity === "blocker" || finding.severity === "unknown";

const grave = (plan: Plan) => plan.findings.filter(isGrave);

const unproven = (plan: Plan) =>
  plan.positions.filter((position) => !position.proven && !position.provisional);

function sentence(plan: Plan): string {
  const count = grave(plan).length + unproven(plan).length;
  return count === 1 ? "Refused, for one reason." : `Refused, for ${count} reasons.`;
}

/** Ask again with the same wishes: the facts may have changed. */
export function PlanAgain({
  plan,
  then,
  words = "Check again",
}: {
  plan: Plan;
  then: (plan: Plan) => string;
  words?: string;
}) {
  const planning = usePlanning(plan.link_id, then);
  return (
    <>
      {planning.isError && <ProblemNotice error={planning.error} doing="Planning" />}
      <Button
        variant="default"
        loading={planning.isPending}
        onClick={() => planning.mutate(wishOf(plan))}
      >
        {words}
      </Button>
    </>
  );
}

/** A refused plan: what stands in the way, and what to do about each. */
export function RefusedNotice({ plan, then }: { plan: Plan; then: (plan: Plan) => string }) {
  if (plan.state !== "refused") return null;
  return (
    <>
      <Statement
        tone="bad"
        sentence={sentence(plan)}
        detail={`${(plan.summary || "Nothing was changed").replace(/\.$/, "")}. Nothing can be started from this plan. Put right what it names, then check again.`}
        actions={<PlanAgain plan={plan} then={then} />}
      />
      <Panel title="What stands in the way" tone="bad">
        <Findings findings={grave(plan)} showCodes />
        {unproven(plan).map((position) => (
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
