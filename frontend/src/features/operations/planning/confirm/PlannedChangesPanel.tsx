import type { Plan } from "@/api/types";
import { abortSentence } from "@/domain/next-statement";
import { Panel } from "@/ui/Panel";
import { plannedChanges } from "./planned-changes";

/** Findings on the returned side: the run that fences it then rests on this confirmation. */
const ON_RETURN = new Set(["lost_side_fenced_on_return", "lost_side_not_fenced_on_return"]);

/** What the run will change, and what an abort restores. */
export function PlannedChangesPanel({ plan }: { plan: Plan }) {
  const hasPointOfNoReturn = plan.steps.some((step) => step.point_of_no_return);
  const onReturn = plan.findings.filter((finding) => ON_RETURN.has(finding.code));
  return (
    <Panel title="Planned changes">
      <ol className="stack attest">
        {plannedChanges(plan).map((change) => (
          <li key={change.key}>
            <b>{change.nodes.join(", ")}</b>: {change.title}
            {change.isPointOfNoReturn && <span className="faint"> · point of no return</span>}
          </li>
        ))}
      </ol>
      {onReturn.map((finding) => (
        <p key={finding.code} className="note">
          {finding.message}
        </p>
      ))}
      <p className="faint note">
        {hasPointOfNoReturn
          ? "Until the point of no return, aborting restores the previous channels and settings."
          : abortSentence(plan)}
      </p>
    </Panel>
  );
}
