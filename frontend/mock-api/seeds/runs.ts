import type { Plan, Run, RunStatement, RunStep } from "@/api/types";
import { rolesAfter, timeSpent, writePause } from "./derived";
import { COUNTED, LOSS_UNKNOWN, NOTHING_LOST } from "./losses";

const STEP_MS = 900;

function statement(step: RunStep, sql: string, at: number, done: boolean): RunStatement {
  return {
    id: `s_${step.index}`,
    sql,
    node: step.node ?? "db-a2",
    connection_id: 4811,
    sent_at: new Date(at + 80).toISOString(),
    duration_ms: done ? 9 : null,
    state: done ? "ok" : "intended",
    warnings: [],
    error: "",
  };
}

function stepAt(plan: Plan, index: number, startedAt: number, elapsed: number): RunStep {
  const source = plan.steps[index];
  if (!source) throw new Error("no such step");
  const began = startedAt + index * STEP_MS;
  const state =
    elapsed >= (index + 1) * STEP_MS
      ? "succeeded"
      : elapsed >= index * STEP_MS
        ? "running"
        : "pending";
  const step: RunStep = {
    index,
    code: source.code,
    title: source.title,
    node: source.node,
    state,
    started_at: state === "pending" ? null : new Date(began).toISOString(),
    ended_at: state === "succeeded" ? new Date(began + STEP_MS).toISOString() : null,
    attempts: 1,
    observed_after_crash: false,
    point_of_no_return: source.point_of_no_return,
    statements: [],
    facts: {},
    progress:
      state === "running" && source.code === "replay"
        ? { done: Math.floor(((elapsed - index * STEP_MS) / STEP_MS) * 10_005), of: 10_005 }
        : null,
    outcome:
      state === "succeeded"
        ? source.sql.length > 0
          ? "no warnings · read back equal"
          : "facts equal, 0 of 143 differ"
        : "",
  };
  if (state !== "pending")
    step.statements = source.sql.map((sql) => statement(step, sql, began, state === "succeeded"));
  return step;
}

/** A run at `Date.now()`, one step each 0.9 s. */
export function runAt(id: string, plan: Plan, startedAt: number, reason: string): Run {
  const elapsed = Date.now() - startedAt;
  const total = plan.steps.length * STEP_MS;
  const done = elapsed >= total;
  const iso = (ms: number) => new Date(ms).toISOString();
  const steps = plan.steps.map((_, index) => stepAt(plan, index, startedAt, elapsed));
  return {
    id,
    link_id: plan.link_id,
    link_name: plan.link_name,
    plan_id: plan.id,
    kind: plan.kind,
    loss: !done ? LOSS_UNKNOWN : plan.kind === "failover" ? COUNTED : NOTHING_LOST,
    state: done ? "succeeded" : "running",
    reason,
    requested_by: "operator-1",
    approved_by: null,
    approvals: [],
    approvals_needed: 0,
    approvals_missing: 0,
    calendar_override: null,
    approval_expires_at: null,
    plan_digest: plan.digest,
    request_id: "5d1c88e2a90b4f17",
    created_at: iso(startedAt),
    started_at: iso(startedAt + 40),
    ended_at: done ? iso(startedAt + total) : null,
    server_time: iso(Date.now()),
    epoch: 1,
    version: 1,
    steps,
    durations: done
      ? {
          queued_s: 0.04,
          confirm_to_verified_s: total / 1000,
          total_s: total / 1000,
          change_forward: 0.9,
        }
      : null,
    verification: done
      ? {
          verdict: "verified",
          probes: [
            {
              direction: "forward",
              written_on: "db-a2",
              seen_on: [
                { node: "db-b1", ms: 18 },
                { node: "db-b2", ms: 21 },
                { node: "db-b3", ms: 22 },
              ],
              complete: true,
            },
            {
              direction: "reverse",
              written_on: "db-b1",
              seen_on: [
                { node: "db-a2", ms: 16 },
                { node: "db-a3", ms: 19 },
              ],
              complete: true,
            },
          ],
          continuity: [
            { direction: "forward", node: "db-b1", groups_compared: 16, equal: true },
            { direction: "reverse", node: "db-a2", groups_compared: 4, equal: true },
          ],
          options_equal: true,
          stray_channels: [],
          ...(plan.kind === "switchover" || plan.kind === "failback"
            ? { write_pause_ms: 1240 }
            : {}),
          not_probed_reason: "",
          cleanup_pending: ["db-a1"],
        }
      : null,
    outcome: done ? "Both channels run on db-a2 ⇄ db-b1; nothing was lost or applied twice." : "",
    next_action: done
      ? "Remove the stray channel of db-a1 when it returns; the link's page offers it."
      : "",
    can_abort: elapsed < 2 * STEP_MS,
    point_of_no_return_passed: elapsed >= 2 * STEP_MS,
    abort_effect:
      elapsed < 2 * STEP_MS
        ? "The forward channel is started again as it was, pointing at db-a1 with all its options. Nothing else has been changed."
        : "The previous channel read from db-a1, which is down: it cannot be restored. The run can only continue.",
    summary: plan.summary,
    target: plan.target,
    write_pause: writePause(steps),
    roles_after: rolesAfter(plan.target, steps),
    accepted_servers: [],
    time_spent: timeSpent(startedAt, steps),
  };
}
