/** What the API from memory knows: one database for each browser, and what can be derived from it. */
import type {
  Advice,
  ApprovalRule,
  Calibration,
  ChangeCalendar,
  Cluster,
  CurrentUser,
  Registration as Guided,
  Incident,
  Lab,
  LinkDetail,
  NodeMaintenance,
  Plan,
  PushBrowser,
  Run,
  SecondFactors,
  TableComparison,
} from "@/api/types";
import type { Role } from "@/domain/permissions";
import { newRegistration, type Registration } from "./registration";
import { scenarioOf } from "./scenarios";
import { type Access, newAccess } from "./seeds/access";
import type { EnteredBandwidth } from "./seeds/bandwidth";
import { newChangeCalendar } from "./seeds/change-calendar";
import { frankfurt, milan } from "./seeds/clusters";
import { guidedRegistrations } from "./seeds/guided";
import { knownIncidents } from "./seeds/incidents";
import { knownPlans } from "./seeds/known-plans";
import { knownRuns } from "./seeds/known-runs";
import { lab } from "./seeds/lab";
import { moved } from "./seeds/links";
import { maintenances } from "./seeds/node-maintenances";
import { newPendingApprovals, type PendingApprovals } from "./seeds/pending-approvals";
import { pushBrowsers } from "./seeds/push";
import { retiredCluster, retiredLink, spare } from "./seeds/registration";
import { runAt } from "./seeds/runs";
import { noFactors } from "./seeds/second-factors";
import { atProvider, currentUser } from "./seeds/session";
import { comparisons } from "./seeds/table-comparisons";

export interface Database {
  scenario: string;
  /** Null: signed out. */
  me: CurrentUser | null;
  lostAt: number;
  plans: Map<string, Plan>;
  /** Each run as a function of the moment, oldest first. */
  runs: Map<string, () => Run>;
  incidents: Incident[];
  lab: Lab;
  verificationStartedAt: number | null;
  access: Access;
  pushBrowsers: PushBrowser[];
  /** How the sign-in that waits for a second factor can be finished. */
  waitingWays: string[];
  /** Whether the user proved to be present: changes are made only then. */
  isProven: boolean;
  factors: SecondFactors;
  waiting: PendingApprovals;
  /** Approval rules by their link. */
  approvalRules: Map<string, ApprovalRule>;
  changeCalendar: ChangeCalendar;
  registration: Registration;
  guided: Map<string, Guided>;
  /** GTIDs of transactions that were settled. */
  settled: Set<string>;
  /** Dismissals of advice by its code. */
  dismissals: Map<string, NonNullable<Advice["dismissal"]>>;
  /** What was entered of a cluster's bandwidth. */
  bandwidth: EnteredBandwidth;
  /** Comparisons of tables, newest first. */
  comparisons: TableComparison[];
  /** Maintenances of milan's nodes. */
  maintenances: NodeMaintenance[];
  /** Calibrations by their cluster. */
  calibrations: Map<string, Calibration>;
  /** How `GET PATH` answers: see sentinels.ts. */
  answers: Map<string, string>;
}

interface Wish {
  scenario?: string;
  role?: Role | null;
  answers?: [path: string, how: string][];
}

const signedIn = (role: Role, scenario: string): CurrentUser => ({
  ...currentUser(role),
  provider: scenario === "provider" ? atProvider("olaf", ["dba", "staff"]) : null,
});

export function newDatabase(wish: Wish = {}): Database {
  const { scenario = "everything", role = "admin", answers = [] } = wish;
  const {
    isEmpty = false,
    mustAddFactor = false,
    hasOldProof = false,
    isFirst = false,
  } = scenarioOf(scenario);
  return {
    scenario,
    me: role && {
      ...signedIn(role, scenario),
      must_add_second_factor: mustAddFactor,
      must_change_password: isFirst,
      must_accept_notice: isFirst,
    },
    lostAt: Date.now() - 14_000,
    plans: new Map(isEmpty ? [] : knownPlans().map((plan) => [plan.id, plan])),
    runs: new Map(isEmpty ? [] : knownRuns().reverse()),
    incidents: isEmpty ? [] : knownIncidents(),
    lab: lab(),
    verificationStartedAt: null,
    bandwidth: { mbit: null },
    access: newAccess(),
    pushBrowsers: isEmpty ? [] : pushBrowsers(),
    waitingWays: [],
    isProven: !hasOldProof,
    factors: noFactors(),
    waiting: isEmpty ? { ruled: [], changes: [] } : newPendingApprovals(),
    approvalRules: new Map(),
    changeCalendar: isEmpty ? { windows: [], freezes: [] } : newChangeCalendar(),
    registration: newRegistration(),
    settled: new Set(),
    dismissals: new Map(),
    calibrations: new Map(),
    comparisons: isEmpty ? [] : comparisons(),
    maintenances: isEmpty ? [] : maintenances(),
    guided: new Map(isEmpty ? [] : guidedRegistrations().map((draft) => [draft.id, draft])),
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

/** A link as it was made, with what was changed since then. */
function asRegistered(db: Database, link: LinkDetail): LinkDetail {
  const changes = db.registration.clusters;
  const { active, standby } = link.clusters;
  const clusters = {
    active: { ...active, ...changes.get(active.id) },
    standby: { ...standby, ...changes.get(standby.id) },
  };
  return {
    ...link,
    active_cluster: { ...link.active_cluster, name: clusters.active.name },
    standby_cluster: { ...link.standby_cluster, name: clusters.standby.name },
    clusters,
    ...db.registration.links.get(link.id),
  };
}

/** All links, those that were retired in this database too. */
function everyLinkOf(db: Database): LinkDetail[] {
  const moment = {
    lostForS: (Date.now() - db.lostAt) / 1000,
    run: (id: string) => runOf(db, id),
    settled: db.settled,
  };
  return scenarioOf(db.scenario).links.map((make) => {
    const link = asRegistered(db, make(moment));
    const requires_approval = db.waiting.ruled.includes(link.id);
    return { ...withStartedRun(db, link), requires_approval };
  });
}

export const linksOf = (db: Database): LinkDetail[] =>
  everyLinkOf(db).filter((link) => link.retired_at === null);

/** The retired ones. */
export const retiredLinksOf = (db: Database): LinkDetail[] => [
  ...everyLinkOf(db).filter((link) => link.retired_at !== null),
  retiredLink(),
];

/** One link, also a retired one. */
export const linkOf = (db: Database, id: unknown): LinkDetail | undefined =>
  [...everyLinkOf(db), retiredLink()].find((link) => link.id === id);

/** Both clusters as the first link has them, and one that no link joins. */
function everyClusterOf(db: Database): Cluster[] {
  if (scenarioOf(db.scenario).isEmpty) return [];
  const [first] = everyLinkOf(db);
  const seeds = first
    ? [first.clusters.active, first.clusters.standby, spare()]
    : [milan(), frankfurt(), spare()];
  return [...seeds, ...db.registration.made].map((cluster) => ({
    ...cluster,
    ...db.registration.clusters.get(cluster.id),
  }));
}

/** The registered clusters; the one without a link is part of the scenarios about clusters. */
export const clustersOf = (db: Database): Cluster[] =>
  everyClusterOf(db).filter(
    ({ id, retired_at }) =>
      retired_at === null && (id !== "c_zurich" || db.scenario === "membership"),
  );

/** One cluster, also a retired one. */
export const clusterOf = (db: Database, id: unknown): Cluster | undefined =>
  [...everyClusterOf(db), retiredCluster()].find((cluster) => cluster.id === id);
