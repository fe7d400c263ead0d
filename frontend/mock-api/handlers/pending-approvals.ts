/** Approvals, protected changes and reviews over HTTP, from memory. */
import { HttpResponse, http } from "msw";
import type { Run, Waiting } from "@/api/types";
import type { Database } from "../db";
import { at, problem } from "../responses";
import { now } from "../seeds/clusters";
import { holdBack } from "../seeds/pending-approvals";

const waitingRuns = (runs: Run[]): Waiting["runs"] =>
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
    }));

const unreviewed = (runs: Run[]): Waiting["exceptions"] =>
  runs.flatMap((run) =>
    run.approvals
      .filter((approval) => approval.is_exception && approval.reviewed_at === null)
      .map(({ approver, comment, at: since }) => ({
        run_id: run.id,
        link_id: run.link_id,
        link_name: run.link_name,
        requested_by: run.requested_by,
        approver,
        comment,
        at: since,
      })),
  );

/** Switched on at once; switching it off waits. */
export function setRule(world: Database, linkId: string, isOn: boolean): void {
  const { waiting } = world;
  if (isOn) {
    waiting.ruled = [...waiting.ruled, linkId];
    waiting.changes = waiting.changes.filter((entry) => entry.target !== linkId);
  } else if (waiting.ruled.includes(linkId))
    holdBack(
      world,
      "approval_rule_off",
      linkId,
      "operator-1 requests that runs on this link no longer need the approval of a second person.",
    );
}

function change(world: Database, id: unknown, confirmed: boolean) {
  const found = world.waiting.changes.find((entry) => entry.id === id);
  if (!found) return problem(404, "not_found", "There is no such protected change", "");
  if (confirmed && found.requested_by === world.me?.username)
    return problem(
      403,
      "own_change",
      "Not permitted",
      "You requested this change. Another administrator must confirm it.",
    );
  world.waiting.changes = world.waiting.changes.filter((entry) => entry !== found);
  world.access.users = world.access.users.map((user) =>
    user.username !== found.target
      ? user
      : confirmed
        ? { ...user, second_person_from: now() }
        : { ...user, is_active: false },
  );
  return HttpResponse.json({ ...found, state: confirmed ? "confirmed" : "rejected" });
}

function decide(world: Database, id: unknown, next: (run: Run) => Run) {
  world.waiting.runs = world.waiting.runs.map((run) => (run.id === id ? next(run) : run));
  const run = world.waiting.runs.find((entry) => entry.id === id);
  return run ? HttpResponse.json(run) : problem(404, "not_found", "There is no such run", "");
}

export const pendingApprovalHandlers = (world: Database) => [
  http.get(at("/waiting"), () =>
    HttpResponse.json({
      runs: waitingRuns(world.waiting.runs),
      changes: world.waiting.changes,
      exceptions: unreviewed(world.waiting.runs),
    }),
  ),
  http.post(at("/protected-changes/:id/confirm"), ({ params }) => change(world, params.id, true)),
  http.post(at("/protected-changes/:id/reject"), ({ params }) => change(world, params.id, false)),
  http.post(at("/runs/:id/approve"), async ({ params, request }) => {
    const { comment } = (await request.json()) as { comment: string };
    const approver = world.me?.username ?? "";
    return decide(world, params.id, (run) => ({
      ...run,
      state: "queued",
      approved_by: approver,
      approval_expires_at: null,
      approvals: [
        {
          round: 1,
          approver,
          comment,
          at: now(),
          is_exception: false,
          reviewed_by: "",
          reviewed_at: null,
          review_comment: "",
        },
      ],
    }));
  }),
  http.post(at("/runs/:id/review"), async ({ params, request }) => {
    const { comment } = (await request.json()) as { comment: string };
    return decide(world, params.id, (run) => ({
      ...run,
      approvals: run.approvals.map((approval) => ({
        ...approval,
        reviewed_by: world.me?.username ?? "",
        reviewed_at: now(),
        review_comment: comment,
      })),
    }));
  }),
];
