import type { Plan } from "@/api/types";
import { Term } from "@/components/Term";
import { NextStatement } from "@/components/workflow/NextStatement";
import { abortSentence, firstChange, pointOfNoReturn } from "@/domain/next-statement";
import { stripNodePrefix } from "@/domain/step-title";
import { Panel } from "@/ui/Panel";

/** The first change that a plan makes, and where its point of no return is; nothing for a plan without steps. */
export function FirstStatementPanel({ plan }: { plan: Plan }) {
  const first = firstChange(plan);
  if (first === null || plan.state === "used") return null;
  const boundary = pointOfNoReturn(plan);
  return (
    <Panel title="First change" aside="nothing is sent before you confirm">
      <NextStatement plan={plan} next={first} />
      <p className="dim note">
        {boundary ? (
          <>
            <Term of="point of no return">Point of no return</Term>: step {boundary.number},{" "}
            {stripNodePrefix(boundary.step.title, boundary.step.node)}.
          </>
        ) : (
          abortSentence(plan)
        )}
      </p>
    </Panel>
  );
}
