import { useInfiniteQuery } from "@tanstack/react-query";
import { pagesOf } from "@/api/pages";
import { runsQuery } from "@/api/resources/runs";
import type { Plan, Run } from "@/api/types";

/** The run that a plan was started as; null where it was not, and until it is read. */
export function useRunOfPlan(plan: Plan): Run | null {
  const runs = useInfiniteQuery({
    ...pagesOf(runsQuery({ plan: plan.id })),
    enabled: plan.state === "used",
  });
  return runs.data?.pages[0]?.results[0] ?? null;
}
