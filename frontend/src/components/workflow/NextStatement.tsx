import { useInfiniteQuery } from "@tanstack/react-query";
import { pagesOf } from "@/api/pages";
import { runsQuery } from "@/api/resources/runs";
import type { Plan } from "@/api/types";
import { type NumberedStep, undoSentence } from "@/domain/next-statement";
import { stripNodePrefix } from "@/domain/step-title";
import { formatDuration } from "@/lib/format/time";
import { DescriptionList } from "@/ui/DescriptionList";
import { SqlBlock } from "@/ui/SqlBlock";
import css from "./NextStatement.module.css";

/** How long the step took in the last run of this link and kind that succeeded; null where there is none. */
function useLastDuration(plan: Plan, code: string): number | null {
  const runs = useInfiniteQuery(pagesOf(runsQuery({ link: plan.link_id, state: "succeeded" })));
  const last = runs.data?.pages[0]?.results.find((run) => run.kind === plan.kind);
  const step = last?.steps.find((each) => each.code === code);
  if (!step?.started_at || !step.ended_at) return null;
  return (Date.parse(step.ended_at) - Date.parse(step.started_at)) / 1000;
}

const ON_FAILURE = {
  reverted: "If this does not hold, the run is rolled back.",
  needs_operator: "If this does not hold, the run stops for an operator.",
};

/** The statement of one step, what it does, how that is proven, whether it can be undone, and how long it took before. */
export function NextStatement({ plan, next }: { plan: Plan; next: NumberedStep }) {
  const { step, number } = next;
  const last = useLastDuration(plan, step.code);
  return (
    <div className={css.next}>
      <p>
        <b>
          Step {number}
          {step.node ? ` on ${step.node}` : ""}:
        </b>{" "}
        {stripNodePrefix(step.title, step.node)}
      </p>
      {step.sql.length > 0 && (
        <SqlBlock statements={step.sql} label="the statements that are sent next" />
      )}
      <DescriptionList
        items={[
          ["Effect", step.effect.sentence],
          ...(step.proof
            ? [
                ["Proven", `${step.proof.claim}. ${ON_FAILURE[step.proof.on_failure]}`] as [
                  string,
                  string,
                ],
              ]
            : []),
          ["Can be undone", undoSentence(plan, next)],
          [
            "Duration",
            last === null
              ? "unknown: no earlier run to compare with"
              : `${formatDuration(last)} in the last run`,
          ],
        ]}
      />
    </div>
  );
}
