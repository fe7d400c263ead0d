/** What the API from memory knows: one database for each browser, and what can be derived from it. */
import type { CurrentUser, Lab, LinkDetail, Plan, Run } from "@/api/types";
import type { Role } from "@/domain/permissions";
import { scenarioOf } from "./scenarios";
import { type Access, newAccess } from "./seeds/access";
import { frankfurt, milan } from "./seeds/clusters";
import { knownPlans } from "./seeds/known-plans";
import { knownRuns } from "./seeds/known-runs";
import { lab } from "./seeds/lab";
import { moved } from "./seeds/links";
import { newPendingApprovals, type PendingApprovals } from "./seeds/pending-approvals";
import { runAt } from "./seeds/runs";
import { currentUser } from "./seeds/session";

export interface Database {
  scenario: string;
  /** Null: signed out. */
  me: CurrentUser | null;
  lostAt: number;
  plans: Map<string, Plan>;
  /** Each run as a function of the moment, oldest first. */
  runs: Map<string, () => Run>;
  lab: Lab;
  verificationStartedAt: number | null;
  access: Access;
  waiting: PendingApprovals;
  /** How `GET PATH` answers: see sentinels.ts. */
  answers: Map<string, string>;
}

interface Wish {
  scenario?: string;
  role?: Role | null;
  answers?: [path: string, how: string][];
}

export function newDatabase(wish: Wish = {}): Database {
  const { scenario = "everything", role = "admin", answers = [] } = wish;
  const isEmpty = scenarioOf(scenario).isEmpty ?? false;
  return {
    scenario,
    me: role && currentUser(role),
    lostAt: Date.now() - 14_000,
    plans: new Map(isEmpty ? [] : knownPlans().map((plan) => [plan.id, plan])),
    runs: new Map(isEmpty ? [] : knownRuns().reverse()),
    lab: lab(),
    verificationStartedAt: null,
    access: newAccess(),
    waiting: isEmpty ? { ruled: [], changes: [] } : newPendingApprovals(),
    answers: new Map(answers),
  };
}

/** Start a run of a plan; one step takes 0.9 s. */
export function startRun(db: Database, plan: Plan, reason: string, over: Partial<Run> = {}): Run {
  const id = `r_${db.runs.size + 1}`;
  const startedAt = Date.now();
  db.runs.set(id, () => ({ ...runAt(id, plan, startedAt, reason), ...over }));
  db.plans.set(plan.id, { ...plan, state: "used" });
  return runOf(db, id);
}

export function runOf(db: Database, id: string): Run {
  const run = db.runs.get(id);
  if (!run) throw new Error(`no run ${id}`);
  return run();
}

/** Newest first. */
export const runsOf = (db: Database): Run[] => [...db.runs.values()].reverse().map((run) => run());

/** A run that was started in this database, not one of the seeds. */
const startedRunOf = (db: Database, linkId: string) =>
  runsOf(db).find((run) => /^r_\d+$/.test(run.id) && run.link_id === linkId);

function withStartedRun(db: Database, link: LinkDetail): LinkDetail {
  const run = startedRunOf(db, link.id);
  if (!run) return link;
  if (run.ended_at === null) return { ...link, active_run: run };
  return run.kind === "relocate" && link.id === "l_payments" ? moved() : link;
}

export function linksOf(db: Database): LinkDetail[] {
  const moment = {
    lostForS: (Date.now() - db.lostAt) / 1000,
    run: (id: string) => runOf(db, id),
  };
  return scenarioOf(db.scenario).links.map((make) => {
    const link = make(moment);
    const requires_approval = db.waiting.ruled.includes(link.id);
    return { ...withStartedRun(db, link), requires_approval };
  });
}

export const linkOf = (db: Database, id: unknown): LinkDetail | undefined =>
  linksOf(db).find((link) => link.id === id);

/** Both clusters as the first link has them. */
export function clustersOf(db: Database) {
  if (scenarioOf(db.scenario).isEmpty) return [];
  const [first] = linksOf(db);
  return first ? [first.clusters.active, first.clusters.standby] : [milan(), frankfurt()];
}
