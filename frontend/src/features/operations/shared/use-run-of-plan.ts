import { useInfiniteQuery } from "@tanstack/react-query";
import { pagesOf } from "@/api/pages";
import { runsQuery } from "@/api/resources/runs";
import type { Plan, Run } from "@/api/types";

interface RunOfPlan {
  /** Null where the plan was not run, and while its run is not known. */
  run: Run | null;
  /** Why the run of a plan that was run is not known; null where nothing went wrong. */
  error: Error | null;
  retry: () => void;
}

/** The run that a plan was started as. */
export function useRunOfPlan(plan: Plan): RunOfPlan {
  const { data, error, refetch } = useInfiniteQuery({
    ...pagesOf(runsQuery({ plan: plan.id })),
    enabled: plan.state === "used",
  });
  return { run: data?.pages[0]?.results[0] ?? null, error, retry: () => void refetch() };
}
