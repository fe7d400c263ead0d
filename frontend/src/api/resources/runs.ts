import { queryOptions } from "@tanstack/react-query";
import { syncServerClock } from "@/lib/server-clock";
import type { PagedQuery } from "../pages";
import { SLOW_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type { Plan, Run, RunFilter } from "../types";
import { useApiMutation } from "../use-api-mutation";

async function readRun(run_id: string, signal: AbortSignal): Promise<Run> {
  const sentAtMs = Date.now();
  const run = await send("GET", "/api/v1/runs/{run_id}", { path: { run_id }, signal });
  syncServerClock(run.server_time, sentAtMs, Date.now());
  return run;
}

const isUnfinished = (run: Run | undefined) => run === undefined || run.ended_at === null;

export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: queryKeys.run(runId),
    queryFn: ({ signal }) => readRun(runId, withTimeout(signal)),
    refetchInterval: (query) => (isUnfinished(query.state.data) ? 1000 : false),
  });

export const runsQuery = (filter: RunFilter = {}): PagedQuery<Run> => ({
  queryKey: queryKeys.runList(filter),
  read: (cursor, signal) =>
    send("GET", "/api/v1/runs", { query: { ...filter, cursor }, signal: withTimeout(signal) }),
  refetchInterval: SLOW_MS,
});

interface StartRequest {
  digest: string;
  confirm: string;
  reason: string;
  /** Why it starts in spite of the change calendar; empty where it does not. */
  override_calendar: string;
  /** The same intent sent twice starts one run. */
  idempotencyKey: string;
}

export const useStartRun = (plan: Pick<Plan, "id" | "link_id">) =>
  useApiMutation(
    ({ idempotencyKey, ...body }: StartRequest) =>
      send("POST", "/api/v1/plans/{plan_id}/runs", {
        path: { plan_id: plan.id },
        headers: { "Idempotency-Key": idempotencyKey },
        body,
      }),
    [queryKeys.plan(plan.id), queryKeys.links, queryKeys.runs],
  );

const onRun = (run: Run, comment: string) => ({ path: { run_id: run.id }, body: { comment } });

const touchedBy = (run: Run) => [
  queryKeys.run(run.id),
  queryKeys.links,
  queryKeys.pendingApprovals,
];

/** What an approver must know besides the plan; the servers are compared with it at each read. */
export const runDecisionQuery = (run_id: string) =>
  queryOptions({
    queryKey: queryKeys.runDecision(run_id),
    queryFn: ({ signal }) =>
      send("GET", "/api/v1/runs/{run_id}/decision", { path: { run_id }, signal }),
    refetchInterval: SLOW_MS,
  });

export const useRejectRun = (run: Run) =>
  useApiMutation(
    (comment: string) =>
      send("POST", "/api/v1/runs/{run_id}/reject", {
        path: { run_id: run.id },
        body: { digest: run.plan_digest, comment },
      }),
    touchedBy(run),
  );

export const useApproveRun = (run: Run) =>
  useApiMutation(
    (comment: string) =>
      send("POST", "/api/v1/runs/{run_id}/approve", {
        path: { run_id: run.id },
        body: { digest: run.plan_digest, comment },
      }),
    touchedBy(run),
  );

export const useAbortRun = (run: Run) =>
  useApiMutation(
    (comment: string) => send("POST", "/api/v1/runs/{run_id}/abort", onRun(run, comment)),
    touchedBy(run),
  );

export const useResumeRun = (run: Run) =>
  useApiMutation(
    (comment: string) => send("POST", "/api/v1/runs/{run_id}/resume", onRun(run, comment)),
    touchedBy(run),
  );

/** A review of a run that was started without a second person. */
export const useReviewRun = (run_id: string) =>
  useApiMutation(
    (comment: string) =>
      send("POST", "/api/v1/runs/{run_id}/review", { path: { run_id }, body: { comment } }),
    [queryKeys.runs, queryKeys.pendingApprovals],
  );
