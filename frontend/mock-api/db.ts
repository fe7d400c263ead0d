/** What the API from memory knows: one world for each test, and what can be derived from it. */
import type { AuditRecord, CurrentUser, LagPoint, Link, Plan, Run } from "@/api/types";
import { type Access, newAccess } from "./seeds/access";
import { ago, now } from "./seeds/clusters";
import { broken, calm, failedOver, moved, siteLost, stoppedOnRow, unseen } from "./seeds/links";
import { newPendingApprovals, type PendingApprovals, plansBehind } from "./seeds/pending-approvals";
import { runAt } from "./seeds/runs";

export interface Database {
  me: CurrentUser | null;
  lostAt: number;
  plans: Map<string, Plan>;
  runs: Map<string, { plan: Plan; startedAt: number; reason: string }>;
  lab: Record<string, "running" | "frozen" | "dead">;
  judgedAt: number | null;
  access: Access;
  waiting: PendingApprovals;
}

export function newDatabase(signedIn = true): Database {
  const me: CurrentUser = {
    username: "operator-1",
    role: "admin",
    permissions: [],
    demo: true,
    server_time: now(),
    version: "0.1.0",
  };
  return {
    me: signedIn ? me : null,
    lostAt: Date.now() - 14_000,
    plans: new Map(plansBehind().map((plan) => [plan.id, plan])),
    runs: new Map(),
    lab: {
      "db-a1": "dead",
      "db-a2": "running",
      "db-a3": "running",
      "db-b1": "running",
      "db-b2": "running",
      "db-b3": "running",
    },
    judgedAt: null,
    access: newAccess(),
    waiting: newPendingApprovals(),
  };
}

export const runsOf = (world: Database): Run[] =>
  [...world.runs].map(([id, r]) => runAt(id, r.plan, r.startedAt, r.reason)).reverse();

function payments(world: Database): Link {
  const run = runsOf(world).find((entry) => entry.link_id === "l_payments");
  if (run?.ended_at) return moved();
  const link = broken((Date.now() - world.lostAt) / 1000);
  return run ? { ...link, active_run: run } : link;
}

export const linksOf = (world: Database): Link[] =>
  [
    payments(world),
    calm(),
    { ...siteLost(23), id: "l_billing", name: "billing" },
    { ...failedOver(), id: "l_ledger", name: "ledger" },
    stoppedOnRow(),
    unseen(),
  ].map((link) => ({ ...link, requires_approval: world.waiting.ruled.includes(link.id) }));

export function lag(minutes: number, lostAt: number): LagPoint[] {
  const step = (minutes * 60) / 180;
  return Array.from({ length: 181 }, (_, i) => {
    const seconds = (180 - i) * step;
    const since = (Date.now() - seconds * 1000 - lostAt) / 1000;
    const noise = Math.round(18 + 14 * Math.sin(i / 5) + 9 * Math.sin(i / 2.3));
    return {
      at: ago(seconds),
      forward_gap: since > 0 ? Math.round(since * 86) + noise : noise,
      forward_lag_s: 0,
      reverse_gap: since > 0 ? null : 2,
      reverse_lag_s: 0,
    };
  });
}

export const audit: AuditRecord[] = [
  "runs:run:start",
  "runs:plan:create",
  "session:login:success",
  "clusters:link:create",
].map((action, i) => ({
  seq: 48 - i,
  at: ago(60 * (i + 1)),
  actor: "operator-1",
  action,
  link_id: "l_payments",
  run_id: "",
  target: "payments",
  reason: i === 0 ? "INC-4211: db-a1 lost its disk" : "",
  request_id: "5d1c88e2a90b4f17",
  source_ip: "127.0.0.1",
  facts: { kind: "relocate" },
  hash: `${i}f3a9c1e5b2d48a0c6e1`,
  prev_hash: `${i + 1}f3a9c1e5b2d48a0c6e1`,
  key_id: "91c2d07be5f3a644",
}));
