/** Runs, protected changes and exceptions that wait for a second person. */
import type { ProtectedChange, Run, Waiting } from "@/api/types";
import { type Database, runsOf } from "../db";
import { http, notFound, problem } from "../http";
import { now } from "../seeds/clusters";

const waitingRuns = (runs: Run[], whyNot: string | null): Waiting["runs"] =>
  runs
    .filter((run) => run.state === "waiting_approval")
    .map((run) => ({
      run_id: run.id,
      link_id: run.link_id,
      link_name: run.link_name,
      kind: run.kind,
      summary: run.summary,
      requested_by: run.requested_by,
      requested_at: run.created_at,
      expires_at: run.approval_expires_at,
      approvals_needed: run.approvals_needed,
      approvals_missing: run.approvals_missing,
      may_approve: whyNot === null,
      why_not: whyNot,
    }));

/** Why the signed-in user cannot approve runs. */
export const whyNotApprove = (db: Database): string | null =>
  db.me?.role === "approver" || db.me?.role === "admin"
    ? null
    : "Your role does not include approving runs.";

const unreviewed = (runs: Run[]): Waiting["exceptions"] =>
  runs.flatMap((run) =>
    run.approvals
      .filter((approval) => approval.is_exception && approval.reviewed_at === null)
      .map(({ approver, comment, at }) => ({
        run_id: run.id,
        link_id: run.link_id,
        link_name: run.link_name,
        requested_by: run.requested_by,
        approver,
        comment,
        at,
      })),
  );

const changeOf = (db: Database, id: string) => db.waiting.changes.find((entry) => entry.id === id);

function decide(db: Database, found: ProtectedChange, state: "confirmed" | "rejected") {
  db.waiting.changes = db.waiting.changes.filter((entry) => entry !== found);
  db.access.users = db.access.users.map((user) =>
    user.username !== found.target
      ? user
      : state === "confirmed"
        ? { ...user, second_person_from: now() }
        : { ...user, is_active: false },
  );
  return { ...found, state };
}

export const waitingHandlers = (db: Database) => [
  http.get("/api/v1/waiting", ({ response }) => {
    const runs = runsOf(db);
    const { changes } = db.waiting;
    return response(200).json({
      runs: waitingRuns(runs, whyNotApprove(db)),
      changes,
      exceptions: unreviewed(runs),
    });
  }),
  http.post("/api/v1/protected-changes/{change_id}/confirm", ({ params, response }) => {
    const found = changeOf(db, params.change_id);
    if (!found) return notFound("protected change");
    if (found.requested_by === db.me?.username)
      return problem(
        403,
        "own_change",
        "Not permitted",
        "You requested this change. Another administrator must confirm the change.",
      );
    return response(200).json(decide(db, found, "confirmed"));
  }),
  http.post("/api/v1/protected-changes/{change_id}/reject", ({ params, response }) => {
    const found = changeOf(db, params.change_id);
    return found ? response(200).json(decide(db, found, "rejected")) : notFound("protected change");
  }),
];
