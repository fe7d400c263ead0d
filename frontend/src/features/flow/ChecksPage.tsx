import { Button } from "@mantine/core";
import type { Plan } from "@/api/types";
import { Findings } from "@/components/Findings";
import { Go } from "@/components/Go";
import { flowBeside } from "@/lib/flow";
import { counted } from "@/lib/numbers";
import { Panel } from "@/ui/Panel";
import { Statement } from "@/ui/Statement";
import { Attestations } from "./Attestations";
import { ConflictsPanel } from "./ConflictsPanel";
import { GuidePanel } from "./GuidePanel";
import { PlanFrame, usePlanCast, WithPlan } from "./planHead";
import { actOf } from "./planText";
import { isGrave, PlanAgain, RefusedNotice } from "./RefusedNotice";
import { checksUrl, flowUrl, useLinkFlow } from "./useFlow";

/** On to the proof, or, where there is none, to the plan; and back to what was chosen. Nothing leads on from a refusal. */
function Ways({ plan }: { plan: Plan }) {
  const { source_node, replica_node, orphans } = plan.options;
  const before = flowBeside(plan.kind, "checks", -1);
  const next = flowBeside(plan.kind, "checks", 1);
  const back = flowUrl(plan.link_id, plan.kind, before, { source_node, replica_node, orphans });
  return (
    <>
      <Button variant="default" component={Go} to={back}>
        {before === "target" ? "Choose again" : "Back to the situation"}
      </Button>
      {plan.state !== "refused" && (
        <Button component={Go} to={`/plans/${plan.id}/${next}`}>
          {next === "proof" ? "See the proof" : "See the plan"}
        </Button>
      )}
    </>
  );
}

function Verdict({ plan }: { plan: Plan }) {
  const warnings = plan.findings.filter((finding) => finding.severity === "warning").length;
  const act = actOf(plan, usePlanCast(plan));
  const loses = plan.loss.transactions !== 0;
  return (
    <Statement
      tone={warnings > 0 || loses ? "warn" : "ok"}
      sentence={
        warnings > 0
          ? `Nothing forbids it; ${counted(warnings, "warning")} to know before you go on.`
          : "Nothing stands in the way."
      }
      detail={plan.summary.replace(/\.$/, "") === act ? `${act}.` : `${act}. ${plan.summary}`}
      actions={
        <>
          <PlanAgain plan={plan} then={checksUrl} />
          <Ways plan={plan} />
        </>
      }
    />
  );
}

function Checks({ plan }: { plan: Plan }) {
  const refused = plan.state === "refused";
  const shown = refused ? plan.findings.filter((finding) => !isGrave(finding)) : plan.findings;
  return (
    <PlanFrame plan={plan} step="checks">
      {refused ? <RefusedNotice plan={plan} then={checksUrl} /> : <Verdict plan={plan} />}
      <GuidePanel plan={plan} />
      <ConflictsPanel plan={plan} then={checksUrl} />
      <Attestations plan={plan} then={checksUrl} />
      {refused && (
        <div className="row end">
          <Ways plan={plan} />
        </div>
      )}
      <Panel
        title={refused ? "The other checks" : "All checks"}
        aside={`${shown.length} of ${plan.findings.length}, gravest first`}
      >
        <Findings findings={shown} showCodes openAll />
      </Panel>
    </PlanFrame>
  );
}

export function ChecksPage() {
  const { linkId, search, kind } = useLinkFlow("checks");
  if (!search.plan)
    return (
      <Statement
        tone="neutral"
        sentence="No check has been made yet."
        detail="Checks belong to a choice: make it first."
        actions={<Go to={flowUrl(linkId, kind, flowBeside(kind, "checks", -1), {})}>Begin</Go>}
      />
    );
  return <WithPlan planId={search.plan}>{(plan) => <Checks plan={plan} />}</WithPlan>;
}
