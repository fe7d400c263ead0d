/** Incidents in each state that a page shows. */
import type { Incident, IncidentItem, Plan } from "@/api/types";
import { ago, now } from "./clusters";
import { lostSideLoss } from "./losses";

type PlanFinding = Plan["findings"][number];
type Attestation = NonNullable<PlanFinding["attestation"]>;

const inFuture = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

export function incidentItem(id: string, over: Partial<IncidentItem> = {}): IncidentItem {
  return {
    link_id: `l_${id}`,
    link_name: id,
    role: "active",
    why: `The active side ${id}-milan is at Milan.`,
    kind: "failover",
    label: "Fail over to frankfurt",
    target: "frankfurt active",
    state: "ready",
    sentence: `Fail ${id} over to frankfurt.`,
    at_risk: 12,
    outage_since: ago(90),
    loss: lostSideLoss(12, "At least 12 transactions of milan are not applied.", 90),
    loss_text:
      "at least 12 transactions, 90.0 s. At least 12 transactions of milan are not applied.",
    requires_approval: false,
    findings: [],
    plan_id: "p_ready",
    plan_digest: "5d1c",
    plan_expires_at: inFuture(240),
    is_proven: true,
    run_id: null,
    earlier_plans: [],
    options: {},
    ...over,
  };
}

const attestation = (over: Partial<Attestation>): Attestation => ({
  option: "attest_fenced",
  node_id: "n_a1",
  node: "db-a1",
  label:
    "I attest that db-a1 is fenced: powered off, or isolated from applications and from the other side",
  is_given: false,
  is_override: false,
  ...over,
});

const finding = (over: Partial<PlanFinding>): PlanFinding => ({
  code: "node_not_attested",
  severity: "blocker",
  message: "db-a1 does not respond. It may still accept writes.",
  remedy: "Power it off or isolate it, then attest it.",
  facts: {},
  attestation: null,
  ...over,
});

const given = finding({
  code: "unreachable_node_attested",
  severity: "warning",
  message: "db-a1 is attested to be fenced.",
  remedy: "",
  attestation: attestation({ is_given: true }),
});

const refusing = [
  finding({ attestation: attestation({}) }),
  finding({
    code: "loss_not_accepted",
    message: "At least 40 transactions are lost.",
    attestation: attestation({
      option: "accept_loss",
      node_id: null,
      node: null,
      label: "I accept this data loss",
    }),
  }),
];

const STATES = [
  incidentItem("payments", { findings: [given], at_risk: null, requires_approval: true }),
  incidentItem("orders"),
  incidentItem("billing", {
    state: "refused",
    sentence: "db-a1 does not respond. It may still accept writes.",
    findings: refusing,
    is_proven: null,
    plan_expires_at: null,
  }),
  incidentItem("ledger", {
    role: "standby",
    why: "The standby side ledger-milan is at Milan.",
    kind: null,
    label: "",
    target: "",
    state: "no_operation",
    sentence: "No operation is recommended: frankfurt is writable. All nodes of milan are down.",
    loss: null,
    loss_text: "",
    plan_id: null,
    plan_digest: null,
    plan_expires_at: null,
    is_proven: null,
    at_risk: 0,
    outage_since: null,
  }),
];

const counted = (items: readonly IncidentItem[], ...states: IncidentItem["state"][]) =>
  items.filter((item) => states.includes(item.state)).length;

/** What follows from the items. */
export function withProgress(incident: Incident): Incident {
  const { items } = incident;
  return {
    ...incident,
    progress: {
      total: items.length - counted(items, "left_out", "no_operation"),
      ready: counted(items, "ready"),
      waiting: counted(items, "waiting"),
      running: counted(items, "running", "waiting_approval"),
      succeeded: counted(items, "succeeded"),
      failed: counted(items, "failed", "aborted", "needs_operator"),
    },
  };
}

export function incident(over: Partial<Incident> = {}): Incident {
  return withProgress({
    id: "x_planned",
    name: "Loss of Milan",
    scope_kind: "site",
    scope_value: "Milan",
    scope_name: "Milan",
    state: "planned",
    version: 5,
    sentence: "2 of 3 operations can be started.",
    progress: { total: 0, ready: 0, waiting: 0, running: 0, succeeded: 0, failed: 0 },
    at_once: 1,
    stop_at_failure: true,
    reason: "",
    outcome: "",
    created_by: "operator-1",
    created_at: ago(80),
    confirmed_by: null,
    confirmed_at: null,
    ended_at: null,
    digest: "9d3f4c0be1f2a7c85b6d",
    is_stop_fixed: true,
    needs_approval: false,
    approved_by: null,
    items: STATES,
    ...over,
  });
}

const confirmed = { confirmed_by: "operator-1", confirmed_at: ago(30), reason: "INC-4301" };
const RUN = { run_id: "r_past_1", plan_expires_at: null };

export const knownIncidents = (): Incident[] => [
  incident(),
  incident({
    ...confirmed,
    id: "x_running",
    state: "running",
    sentence: "1 of 3 operations succeeded, 1 running, 1 waiting.",
    needs_approval: true,
    items: [
      incidentItem("payments", { ...RUN, state: "succeeded", sentence: "Failed over." }),
      incidentItem("orders", {
        ...RUN,
        state: "waiting_approval",
        sentence: "Waiting for the approval of a second person.",
        requires_approval: true,
      }),
      incidentItem("billing", { state: "waiting", sentence: "Fail billing over to frankfurt." }),
      ...STATES.slice(3),
    ],
  }),
  incident({
    ...confirmed,
    id: "x_stopped",
    name: "Loss of Turin",
    state: "stopped",
    sentence: "Stopped because orders failed. Nothing new is started. 1 of 3 operations succeeded.",
    outcome: "Stopped because orders failed. Nothing new is started. 1 of 3 operations succeeded.",
    items: [
      incidentItem("payments", { ...RUN, state: "succeeded", sentence: "Failed over." }),
      incidentItem("orders", {
        ...RUN,
        state: "failed",
        sentence: "db-b1 did not respond. The previous state was restored.",
      }),
      incidentItem("billing", {
        state: "needs_plan",
        sentence: "The plan has expired. Nothing was sent. Make a new plan.",
        plan_expires_at: null,
      }),
    ],
  }),
  incident({
    ...confirmed,
    id: "x_ended",
    name: "Loss of Zurich",
    state: "ended",
    sentence: "1 of 1 operation succeeded.",
    outcome: "1 of 1 operation succeeded.",
    approved_by: "ben",
    ended_at: now(),
    items: [incidentItem("payments", { ...RUN, state: "succeeded", sentence: "Failed over." })],
  }),
];
