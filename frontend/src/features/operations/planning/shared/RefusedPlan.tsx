import type { Plan } from "@/api/types";
import { FindingList } from "@/components/FindingList";
import type { StepLink } from "@/components/workflow/step-link";
import { pluralize } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { isBlocking, unprovenPositions } from "./blockers";
import { ReplanButton } from "./ReplanButton";

/** Why a plan was refused, and how to resolve each blocker; nothing for any other plan. */
export function RefusedPlan({
  plan,
  nextPage,
}: {
  plan: Plan;
  nextPage: (plan: Plan) => StepLink;
}) {
  if (plan.state !== "refused") return null;
  const findings = plan.findings.filter(isBlocking);
  const unproven = unprovenPositions(plan);
  const summary = (plan.summary || "Nothing was changed").replace(/\.$/, "");
  return (
    <>
      <Callout
        tone="bad"
        title={`Plan refused: ${pluralize(findings.length + unproven.length, "blocker")}`}
        description={`${summary}. This plan cannot be run. Resolve its blockers, then check again.`}
        actions={<ReplanButton plan={plan} nextPage={nextPage} />}
      />
      <Panel title="Blockers" tone="bad">
        <FindingList findings={findings} showCodes />
        {unproven.map((position) => (
          <div key={position.direction} className="note">
            <p className="strong">
              The {position.direction} channel: {position.verdict}
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
