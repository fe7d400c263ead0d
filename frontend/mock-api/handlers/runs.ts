import { HttpResponse } from "msw";
import type { Approval, Run, RunDecision } from "@/api/types";
import { type Database, runOf, runsOf } from "../db";
import { http, notFound, paged } from "../http";
import { now } from "../seeds/clusters";
import { runAt } from "../seeds/runs";
import { whyNotApprove } from "./waiting";

/** From now on the run is what `next` makes of it. */
function change(db: Database, id: string, next: (run: Run) => Run): Run {
  const run = runOf(db, id);
  const changed = next(run);
  db.runs.set(id, () => ({ ...changed, server_time: now() }));
  return runOf(db, id);
}

/** The run starts as soon as it is approved. */
function approve(db: Database, id: string, comment: string): Run {
  const { plan_id, reason, requested_by } = runOf(db, id);
  const plan = db.plans.get(plan_id);
  if (!plan) return runOf(db, id);
  const approver = db.me?.username ?? "";
  const approval: Approval = {
    round: 1,
    approver,
    comment,
    at: now(),
    is_exception: false,
    reviewed_by: "",
    reviewed_at: null,
    review_comment: "",
    counts: true,
  };
  const startedAt = Date.now();
  db.runs.set(id, () => ({
    ...runAt(id, plan, startedAt, reason),
    requested_by,
    approved_by: approver,
    approvals: [approval],
  }));
  return runOf(db, id);
}

const reviewed = (db: Database, run: Run, review_comment: string): Run => ({
  ...run,
  approvals: run.approvals.map((approval) => ({
    ...approval,
    reviewed_by: db.me?.username ?? "",
    reviewed_at: now(),
    review_comment,
  })),
});

/** What an approver is shown besides the plan: nothing has changed since. */
const decisionOn = (db: Database, run: Run): RunDecision => ({
  run_id: run.id,
  state: run.state,
  plan_digest: run.plan_digest,
  plan_created_at: run.created_at,
  checked_at: now(),
  changes: [],
  objections: [],
  overridden: [],
  approvals_needed: run.approvals_needed,
  approvals_missing: run.approvals_missing,
  approvers: [],
  expires_at: run.approval_expires_at,
  may_approve: whyNotApprove(db) === null,
  why_not: whyNotApprove(db),
});

const decisionHandlers = (db: Database) => [
  http.post("/api/v1/runs/{run_id}/approve", async ({ params, request, response }) => {
    if (!db.runs.has(params.run_id)) return notFound("run");
    const { comment } = await request.json();
    return response(200).json(approve(db, params.run_id, comment));
  }),
  http.post("/api/v1/runs/{run_id}/reject", async ({ params, request, response }) => {
    if (!db.runs.has(params.run_id)) return notFound("run");
    const { comment } = await request.json();
    const outcome = `${db.me?.username ?? ""} rejected the run: ${comment}`;
    return response(200).json(
      change(db, params.run_id, (run) => ({ ...run, state: "aborted", ended_at: now(), outcome })),
    );
  }),
  http.get("/api/v1/runs/{run_id}/decision", ({ params, response }) => {
    if (!db.runs.has(params.run_id)) return notFound("run");
    return response(200).json(decisionOn(db, runOf(db, params.run_id)));
  }),
  http.post("/api/v1/runs/{run_id}/review", async ({ params, request, response }) => {
    if (!db.runs.has(params.run_id)) return notFound("run");
    const { comment } = await request.json();
    return response(200).json(change(db, params.run_id, (run) => reviewed(db, run, comment)));
  }),
  http.post("/api/v1/runs/{run_id}/abort", ({ params, response }) => {
    if (!db.runs.has(params.run_id)) return notFound("run");
    const outcome = "Aborted; what had been changed was undone.";
    return response(200).json(
      change(db, params.run_id, (run) => ({ ...run, state: "aborted", ended_at: now(), outcome })),
    );
  }),
  http.post("/api/v1/runs/{run_id}/resume", ({ params, response }) => {
    if (!db.runs.has(params.run_id)) return notFound("run");
    return response(200).json(
      change(db, params.run_id, (run) => ({ ...run, state: "running", ended_at: null })),
    );
  }),
];

export const runHandlers = (db: Database) => [
  http.get("/api/v1/runs", ({ query, request, response }) => {
    const [link, plan, state] = [query.get("link"), query.get("plan"), query.get("state")];
    const rows = runsOf(db).filter(
      (run) =>
        (!link || run.link_id === link) &&
        (!plan || run.plan_id === plan) &&
        (!state || run.state === state),
    );
    return response(200).json(paged(rows, request));
  }),
  http.get("/api/v1/runs/{run_id}", ({ params, response }) =>
    db.runs.has(params.run_id) ? response(200).json(runOf(db, params.run_id)) : notFound("run"),
  ),
  http.get("/api/v1/runs/{run_id}/report", ({ response }) =>
    response.untyped(HttpResponse.text("# Report")),
  ),
  ...decisionHandlers(db),
];
