import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queries } from "@/api/queries";
import type { Plan } from "@/api/types";
import { useCast } from "@/components/cast";
import { useServerNow } from "@/components/clock";
import { FlowFrame } from "@/components/FlowFrame";
import { Loaded } from "@/components/Loaded";
import type { FlowStep } from "@/lib/flow";
import { titleOf } from "@/lib/kinds";
import { shortHash } from "@/lib/numbers";
import { formatElapsed } from "@/lib/time";
import { Chip } from "@/ui/Chip";

/** The plan's state now: the server's word, or expired by the server's clock. */
export function planState(plan: Plan, nowMs: number): Plan["state"] {
  return plan.state === "ready" && Date.parse(plan.expires_at) <= nowMs ? "expired" : plan.state;
}

const WORDS = {
  refused: { tone: "bad", word: "refused" },
  expired: { tone: "warn", word: "expired" },
  used: { tone: "neutral", word: "used by its run" },
} as const;

function PlanChip({ plan, nowMs }: { plan: Plan; nowMs: number }) {
  const state = planState(plan, nowMs);
  const name = `plan ${shortHash(plan.digest, 4)}`;
  if (state !== "ready")
    return (
      <Chip tone={WORDS[state].tone}>
        {name} · {WORDS[state].word}
      </Chip>
    );
  const left = Date.parse(plan.expires_at) - nowMs;
  return (
    <Chip tone={left < 30_000 ? "warn" : "info"}>
      {name} · expires in {formatElapsed(left)}
    </Chip>
  );
}

/** Who plays in a plan. */
export const usePlanCast = (plan: Plan) => useCast(plan, plan.situation.lost[0] ?? null);

/** The frame of every page of a plan, with its state and its remaining time. */
export function PlanFrame({
  plan,
  step,
  children,
}: {
  plan: Plan;
  step: FlowStep;
  children: ReactNode;
}) {
  const now = useServerNow();
  const state = planState(plan, now);
  const runs = useQuery({ ...queries.runs({ link: plan.link_id }), enabled: state === "used" });
  const cast = usePlanCast(plan);
  const run = runs.data?.results.find((entry) => entry.plan_id === plan.id) ?? null;
  return (
    <FlowFrame
      title={titleOf(plan.kind, cast)}
      place={{ step, kind: plan.kind, linkId: plan.link_id, plan: { id: plan.id, state }, run }}
      chips={<PlanChip plan={plan} nowMs={now} />}
    >
      {children}
    </FlowFrame>
  );
}

/** Read a plan by its id and draw a page of it. */
export function WithPlan({
  planId,
  children,
}: {
  planId: string;
  children: (plan: Plan) => ReactNode;
}) {
  const query = useQuery(queries.plan(planId));
  return (
    <Loaded<Plan> query={query} what="the plan">
      {children}
    </Loaded>
  );
}
