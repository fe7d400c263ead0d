/** Plans of the kinds that change the active side, as the server would make them. */
import type { Plan, PlanOptions, PlanStep } from "@/api/types";
import type { OperationKind } from "@/domain/operations";
import { on, planFinding, planSteps } from "./seeds/derived";
import { finding } from "./seeds/links";
import { lostSideLoss, planLoss } from "./seeds/losses";
import { makePlan } from "./seeds/plans";

const fence = (node: string): Partial<PlanStep> => ({
  code: "fence",
  title: `${node}: fence writes`,
  ...on(node),
  sql: ["SET GLOBAL read_only=ON"],
  undo: ["SET GLOBAL read_only=OFF"],
});

const open = (node: string): Partial<PlanStep> => ({
  code: "unfence",
  title: `${node}: open for writes`,
  ...on(node),
  sql: ["SET GLOBAL read_only=OFF"],
  undo: [],
});

const reread: Partial<PlanStep> = { title: "Read both sides again and compare with the plan" };
const probe: Partial<PlanStep> = {
  code: "probe",
  title: "Probe both directions",
  sql: ["REPLACE INTO hawser.probe (side, n) VALUES ('milan', 71)"],
};

const SWITCH = (from: string[], to: string[]) =>
  planSteps(
    reread,
    { code: "hook", title: "Tell proxies before the switchover (blocking)" },
    ...from.map(fence),
    {
      code: "verify_fence",
      title: "Prove the fence: a write must fail, the commit counter must not move",
    },
    { code: "verify_caught_up", title: "The last transaction of each side is on the other" },
    { code: "swap_roles", title: "Swap the roles", point_of_no_return: true },
    ...to.map(open),
    probe,
    { code: "hook", title: "Tell chat after the switchover" },
  );

const MILAN = ["db-a1", "db-a2", "db-a3"];
const FRANKFURT = ["db-b1", "db-b2", "db-b3"];

const FAILOVER = planSteps(
  reread,
  { code: "drain", title: "Apply the relay log to its end", ...on("db-b1") },
  {
    code: "stop_channel",
    title: "db-b1: stop the forward channel",
    ...on("db-b1"),
    sql: ["STOP SLAVE"],
    undo: ["START SLAVE"],
  },
  {
    code: "record_divergence",
    title: "Record the divergence point; invalidate milan",
    point_of_no_return: true,
  },
  { code: "swap_roles", title: "Swap the roles" },
  ...FRANKFURT.map(open),
);

const REPROTECT = planSteps(
  reread,
  ...MILAN.map(fence),
  { code: "replay", title: "Replay 14 orphans on frankfurt", ...on("db-b1") },
  {
    code: "change_forward",
    title: "db-a1: point the forward channel at db-b1",
    ...on("db-a1"),
    sql: ["CHANGE MASTER TO MASTER_HOST='127.0.2.1', MASTER_LOG_FILE='mariadb-bin.000211'"],
    undo: ["RESET SLAVE ALL"],
  },
  { code: "start_forward", title: "db-a1: start the forward channel", ...on("db-a1") },
  probe,
);

const setting = (node: string, name: string, was: string): Partial<PlanStep> => ({
  code: "set_setting",
  title: `${node}: change ${name} from ${was} to 512`,
  ...on(node),
  sql: [`SET GLOBAL wsrep_provider_options = '${name}=512'`],
  undo: [`SET GLOBAL wsrep_provider_options = '${name}=${was}'`],
});

const FENCE_STANDBY = planSteps(
  reread,
  { ...fence("db-b3"), undo: [] },
  {
    code: "verify_fence",
    title: "Try to write on every node of frankfurt: each write must fail",
  },
);

const CONFIGURE = planSteps(
  reread,
  { code: "recheck_settings", title: "Read the settings of milan again" },
  ...["db-a2", "db-a3", "db-a1"].flatMap((node, at) => [
    setting(node, "evs.send_window", "4"),
    setting(node, "evs.user_send_window", "2"),
    {
      code: "verify_node_health",
      title: `${node}: watch for ${at === 0 ? 5 : 1} s that it stays Primary and Synced`,
      ...on(node),
    },
  ]),
  { code: "verify_settings", title: "Read the settings of 3 nodes again" },
);

const STEPS: Partial<Record<OperationKind, PlanStep[]>> = {
  switchover: SWITCH(MILAN, FRANKFURT),
  failback: SWITCH(FRANKFURT, MILAN),
  failover: FAILOVER,
  reprotect: REPROTECT,
  configure: CONFIGURE,
  fence_standby: FENCE_STANDBY,
};

const order = (name: string, paid: string | null) => ({ id: 4711, customer: name, paid });

/** Two orders that both sides changed, and one transaction that follows. */
const CONFLICTS: { index: number; row: string; depends_on: number | null; values: object }[] = [
  {
    index: 2,
    row: "0a1b2c3d4e5f60718293",
    depends_on: null,
    values: {
      "db-b1": order("Ann Example", "2026-11-25"),
      orphan: order("Ann Example-Long-Name-That-Wraps", null),
      before: order("Ann Example", null),
    },
  },
  {
    index: 5,
    row: "1a1b2c3d4e5f60718293",
    depends_on: null,
    values: { "db-b1": null, orphan: order("Bob", ""), before: order("Bob", null) },
  },
  { index: 9, row: "", depends_on: 5, values: {} },
];

/** Orphans that cannot be replayed as they are, until an operator decides about them. */
function conflicts(options: PlanOptions) {
  if (options.skip_conflicts || (options.conflict_decisions ?? []).length > 0) return [];
  const sentences = finding(
    "blocker",
    "orphans_conflict",
    "3 of 14 transactions cannot be replayed: 3 (shop.orders: the row was changed or removed on the active side in the meantime).",
    "Decide by row or table (conflict_decisions: keep_active, take_orphan or leave_out), fix the rows on the active side, or skip all these transactions (skip_conflicts).",
  );
  const reason = "the row was changed or removed on the active side in the meantime";
  const all = CONFLICTS.map((one) => ({ ...one, table: "shop.orders", reason, decision: null }));
  return [{ ...sentences, facts: { conflicts: all } }];
}

/** A failover without attestations is refused, and names those it needs. */
function refusals(kind: OperationKind, options: PlanOptions) {
  if (kind === "reprotect" && options.orphans === "replay") return conflicts(options);
  if (kind === "switchover" && !options.attest_accounts)
    return [
      finding(
        "unknown",
        "accounts_unknown",
        "Cannot list the accounts that bypass read_only on milan.",
        "Attest that no such account writes, or have an administrator run this once: CREATE VIEW …;",
      ),
    ];
  if (kind !== "failover") return [];
  const unseen = ["a1", "a2", "a3"].filter((id) => !options.attest_fenced?.includes(`n_${id}`));
  return [
    ...unseen.map((id) => ({
      ...finding(
        "unknown",
        "node_not_attested",
        `db-${id} is unreachable and may still accept writes.`,
      ),
      facts: { node: `db-${id}`, node_id: `n_${id}` },
    })),
    ...(options.accept_loss
      ? []
      : [
          finding(
            "blocker",
            "loss_not_accepted",
            "At least 12 transactions of milan are not applied.",
          ),
        ]),
  ];
}

/** Kinds after which milan is the active side. */
const MILAN_ACTIVE = new Set<OperationKind>(["failback", "configure", "fence_standby"]);

const SUMMARY: Record<OperationKind, string> = {
  relocate: "",
  start_channel: "",
  create_channels: "",
  remove_stray_channel: "",
  remove_channels: "Remove 2 channels of payments: replication ends in both directions",
  switchover: "Fence milan, drain both directions, open frankfurt.",
  failover: "Open frankfurt for writes; milan is invalidated.",
  reprotect: "Bring milan back as the standby of frankfurt.",
  failback: "Fence frankfurt, drain both directions, open milan.",
  accept_state_uuid: "Accept the new state UUID of milan.",
  configure: "Change evs.send_window, evs.user_send_window on milan",
  node_maintenance: "Prepare the maintenance of db-a3",
  rotate_passwords: "Rotate the passwords of milan: monitor, operator, replication",
  fence_standby: "Fence the standby side frankfurt (db-b3)",
};

/** What a failover was given. */
function given(kind: OperationKind, options: PlanOptions) {
  if (kind !== "failover") return [];
  const nodes = options.attest_fenced ?? [];
  return nodes.map((id) => ({
    ...finding(
      "warning",
      "unreachable_node_attested",
      `db-${id.slice(2)} is unreachable. An operator attested that it is fenced.`,
    ),
    facts: { node: `db-${id.slice(2)}`, node_id: id },
  }));
}

/** A plan of any kind, refused where a person's word is missing. */
export function runOperation(
  id: string,
  kind: OperationKind,
  reason: string,
  options: PlanOptions,
): Plan {
  const base = makePlan(id, reason, options);
  const known = STEPS[kind];
  if (!known) return { ...base, kind };
  const against = refusals(kind, options);
  const refused = against.length > 0;
  const loss =
    kind === "failover"
      ? lostSideLoss(
          12,
          "At least 12 transactions of milan are not applied. The run still applies those that are in the relay log. milan was last read at 2026-11-29 06:32:53 UTC; its later writes are unknown.",
          2,
        )
      : planLoss(
          0,
          kind === "configure"
            ? "No data and no channel is touched; writes continue."
            : kind === "fence_standby"
              ? "What was written at frankfurt meanwhile stays there, and the reverse channel replicates it."
              : "Both directions are drained before the roles swap.",
        );
  return {
    ...base,
    kind,
    state: refused ? "refused" : "ready",
    summary: refused ? "" : SUMMARY[kind],
    findings: [
      ...[...against, ...given(kind, options)].map(planFinding),
      ...base.findings.filter((entry) => entry.severity === "ok"),
    ],
    positions: kind === "reprotect" ? base.positions : [],
    loss,
    steps: refused ? [] : known,
    situation: { ...base.situation, lost: [] },
    target: {
      source_node: null,
      source_name: "",
      replica_node: null,
      replica_name: "",
      active_name: MILAN_ACTIVE.has(kind) ? "milan" : "frankfurt",
      standby_name: MILAN_ACTIVE.has(kind) ? "frankfurt" : "milan",
    },
  };
}
