import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { pagesOf } from "@/api/pages";
import { planQuery } from "@/api/resources/plans";
import { runsQuery } from "@/api/resources/runs";
import type { Plan } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { useParticipants } from "@/components/use-participants";
import { useServerTime } from "@/components/use-server-time";
import { WorkflowLayout } from "@/components/workflow/WorkflowLayout";
import { operationTitle } from "@/domain/operations";
import type { WorkflowStep } from "@/domain/workflow";
import { shortHash } from "@/lib/format/number";
import { formatElapsed } from "@/lib/format/time";
import { StatusChip } from "@/ui/StatusChip";

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
      <StatusChip tone={WORDS[state].tone}>
        {name} · {WORDS[state].word}
      </StatusChip>
    );
  const left = Date.parse(plan.expires_at) - nowMs;
  return (
    <StatusChip tone={left < 30_000 ? "warn" : "info"}>
      {name} · expires in {formatElapsed(left)}
    </StatusChip>
  );
}

/** Who plays in a plan. */
export const usePlanParticipants = (plan: Plan) =>
  useParticipants(plan, plan.situation.lost[0] ?? null);

/** The frame of every page of a plan, with its state and its remaining time. */
export function PlanLayout({
  plan,
  step,
  children,
}: {
  plan: Plan;
  step: WorkflowStep;
  children: ReactNode;
}) {
  const now = useServerTime();
  const state = planState(plan, now);
  const runs = useInfiniteQuery({
    ...pagesOf(runsQuery({ link: plan.link_id })),
    enabled: state === "used",
  });
  const participants = usePlanParticipants(plan);
  const run =
    runs.data?.pages.flatMap((page) => page.results).find((entry) => entry.plan_id === plan.id) ??
    null;
  return (
    <WorkflowLayout
      title={operationTitle(plan.kind, participants)}
      location={{ step, kind: plan.kind, linkId: plan.link_id, plan: { id: plan.id, state }, run }}
      chips={<PlanChip plan={plan} nowMs={now} />}
    >
      {children}
    </WorkflowLayout>
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
  const query = useQuery(planQuery(planId));
  return (
    <QueryBoundary<Plan> query={query} label="the plan">
      {children}
    </QueryBoundary>
  );
}
