import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { pagesOf } from "@/api/pages";
import { runQuery, runsQuery } from "@/api/resources/runs";
import type { Plan, Run } from "@/api/types";

interface RunOfPlan {
  /** Null where the plan was not run, and while its run is unknown. */
  run: Run | null;
  /** Why the run of a plan that was run is unknown; null where nothing went wrong. */
  error: Error | null;
  retry: () => void;
}

/** The run that a plan was started as. */
export function useRunOfPlan(plan: Plan): RunOfPlan {
  const { data, error, refetch } = useInfiniteQuery({
    ...pagesOf(runsQuery({ plan: plan.id })),
    enabled: plan.state === "used",
  });
  const listed = data?.pages[0]?.results[0];
  // The list is read seldom, the run itself while it goes on.
  const live = useQuery({ ...runQuery(listed?.id ?? ""), enabled: listed !== undefined });
  return { run: live.data ?? listed ?? null, error, retry: () => void refetch() };
}
