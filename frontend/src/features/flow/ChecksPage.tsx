import { Button } from "@mantine/core";
import type { Plan } from "@/api/types";
import { Findings } from "@/components/Findings";
import { Go } from "@/components/Go";
import { counted } from "@/lib/numbers";
import { Panel } from "@/ui/Panel";
import { Statement } from "@/ui/Statement";
import { Attestations } from "./Attestations";
import { PlanFrame, WithPlan } from "./planHead";
import { isGrave, PlanAgain, RefusedNotice } from "./RefusedNotice";
import { checksUrl, flowUrl, useLinkFlow } from "./useFlow";

/** On to the proof, or, where nothing is moved, to the plan; and back to what was chosen. */
function Ways({ plan }: { plan: Plan }) {
  const clean = plan.kind === "clean";
  const { source_node, replica_node } = plan.options;
  const back = clean
    ? flowUrl(plan.link_id, "situation", { kind: "clean" })
    : flowUrl(plan.link_id, "target", { source_node, replica_node });
  return (
    <>
      <Button variant="default" component={Go} to={back}>
        {clean ? "Back to the situation" : "Choose another target"}
      </Button>
      <Button component={Go} to={`/plans/${plan.id}/${clean ? "plan" : "proof"}`}>
        {clean ? "See the plan" : "See the proof"}
      </Button>
    </>
  );
}

function Verdict({ plan }: { plan: Plan }) {
  const warnings = plan.findings.filter((finding) => finding.severity === "warning").length;
  const pair = plan.target.source_name
    ? `${plan.target.source_name} ⇄ ${plan.target.replica_name}`
    : plan.link_name;
  return (
    <Statement
      tone={warnings > 0 ? "warn" : "ok"}
      sentence={
        warnings > 0
          ? `Nothing forbids it; ${counted(warnings, "warning")} to know before you go on.`
          : `Nothing stands in the way of ${pair}.`
      }
      detail={plan.summary}
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
        detail="Checks belong to a target: choose it first."
        actions={
          <Go
            to={flowUrl(
              linkId,
              kind === "clean" ? "situation" : "target",
              kind === "clean" ? { kind } : {},
            )}
          >
            Begin
          </Go>
        }
      />
    );
  return <WithPlan planId={search.plan}>{(plan) => <Checks plan={plan} />}</WithPlan>;
}
