/** Rehearsals, hooks and automation of a link, as the server would tell of them. */
import type {
  AutomaticStart,
  Automation,
  Delivery,
  Hook,
  Rehearsal,
  RehearsedKind,
  Schedule,
} from "@/api/types";
import { ago, now } from "./clusters";
import { delivered } from "./destinations";
import { finding } from "./links";
import { planLoss } from "./losses";

/** One that passed; the numbers wander a little from one to the next. */
export function rehearsal(kind: RehearsedKind, daysAgo: number): Rehearsal {
  const estimate = (kind === "relocate" ? 0.9 : 1.9) + 0.3 * Math.sin(daysAgo * 2.3);
  return {
    id: `h_${kind}_${daysAgo}`,
    link_id: "l_orders",
    kind,
    state: "passed",
    at: ago(86_400 * daysAgo),
    actor: daysAgo % 2 === 0 ? "schedule" : "operator-1",
    options: {},
    summary: "Fence milan, drain both directions, open frankfurt.",
    sentence: "Every check up to the first write passed.",
    duration_ms: 640,
    timings: [
      {
        check: "Read both sides, check, locate, plan",
        ms: 410,
        ok: true,
        sentence: "Fence milan, drain both directions, open frankfurt.",
      },
      { check: "Recheck", ms: 60, ok: true, sentence: "facts equal, 0 of 143 differ" },
      { check: "db-a1: may read_only be set", ms: 8, ok: true, sentence: "the account may" },
    ],
    estimate_s: estimate,
    loss: planLoss(0, "Both directions are in sync."),
    findings: [finding("ok", "check_0", "Check 1 agrees.")],
    positions: [],
    steps: [],
  };
}

export const rehearsals = (): Rehearsal[] => {
  const failed: Rehearsal = {
    ...rehearsal("failover", 1),
    state: "failed",
    sentence: "The relay log of db-b1 could not be read.",
    estimate_s: null,
    loss: planLoss(null, "Unknown: the relay log was not read.", { seconds: null }),
    findings: [
      finding(
        "blocker",
        "relay_log",
        "db-b1 does not let the monitor account read its relay log.",
        "GRANT REPLICA MONITOR ON *.* TO 'hawser_monitor'@'%'",
      ),
    ],
  };
  return [
    failed,
    ...[1, 2, 3, 5, 8, 9, 12, 15, 18, 21].flatMap((day) => [
      rehearsal("relocate", day),
      rehearsal("switchover", day + 0.2),
    ]),
    rehearsal("failover", 4),
  ];
};

export const schedule = (): Schedule => ({
  enabled: true,
  every_hours: 24,
  kinds: ["relocate", "switchover", "failover"],
  next_at: new Date(Date.now() + 3600_000 * 5).toISOString(),
});

/** A webhook's call before a switchover. */
const called = (hook_id: string, id: string, secondsAgo: number): Delivery =>
  delivered(hook_id, id, secondsAgo, {
    key: `r_1:${id}`,
    phase: "before",
    kind: "switchover",
    run_id: "r_1",
    payload: { kind: "switchover", link: "orders" },
    status: 204,
    ms: 38,
  });

export const deliveries = (hook_id: string): Delivery[] => [
  called(hook_id, "d_2", 3600),
  {
    ...called(hook_id, "d_1", 7200),
    key: "test",
    phase: "test",
    kind: "test",
    run_id: null,
    payload: {},
    state: "failed",
    attempts: 3,
    status: null,
    ms: null,
    error: "connection refused",
    last_at: ago(7100),
  },
  ...Array.from({ length: 22 }, (_, i) => called(hook_id, `d_old_${i}`, 86_400 * (i + 1))),
];

export const hooks = (): Hook[] => [
  {
    id: "k_1",
    link_id: "l_orders",
    name: "proxysql",
    url: "https://proxy.milan.example/hawser",
    phase: "before",
    kinds: ["switchover", "failover", "failback"],
    blocking: true,
    timeout_s: 10,
    min_severity: "warning",
    enabled: true,
    created_at: ago(86_400 * 20),
    last_delivery: deliveries("k_1")[0] ?? null,
  },
  {
    id: "k_2",
    link_id: "l_orders",
    name: "chat",
    url: "https://chat.example/…",
    phase: "event",
    kinds: [],
    blocking: false,
    timeout_s: 5,
    min_severity: "warning",
    enabled: false,
    created_at: ago(86_400 * 20),
    last_delivery: null,
  },
];

export const automaticStart = (): AutomaticStart => ({
  enabled: false,
  most_per_hour: 3,
  starts: [],
  reason: "Off.",
  observed_at: null,
  last_action: null,
});

export const automation = (): Automation => ({
  mode: "propose",
  loss_for_s: 30,
  block_s: 3600,
  blocked_until: new Date(Date.now() + 2_400_000).toISOString(),
  reason: "Automatic relocate created a plan 20 min ago. An operator must start the plan.",
  observed_at: now(),
  acknowledged_at: null,
  last_action: {
    at: ago(1200),
    plan_id: "p_1",
    run_id: null,
    outcome: "proposed",
    reason: "db-a1 was down for 31 s.",
  },
});
