/** What the server derives when it shows a plan or a run. */
import type { Finding, Plan, PlanStep, Run, RunStep } from "@/api/types";
import { fencedLabel } from "@/domain/attestations";

type PlanFinding = Plan["findings"][number];
type Attestation = NonNullable<PlanFinding["attestation"]>;

const ANSWERS: Record<string, Pick<Attestation, "option" | "label">> = {
  accounts_unknown: {
    option: "attest_accounts",
    label: "I attest that no account writes through the fence during the run",
  },
  foreign_origin_unclear: {
    option: "attest_origins",
    label:
      "I attest that nothing writes under this server_id any more, or that its transactions come by this channel only",
  },
  loss_not_accepted: { option: "accept_loss", label: "I accept this data loss" },
  orphans_conflict: {
    option: "skip_conflicts",
    label: "Skip these transactions. They are discarded; the export keeps a copy",
  },
};

const OF_A_NODE = new Set([
  "unreachable_node_may_run",
  "node_not_attested",
  "unreachable_node_attested",
]);

function attestation({ code, facts }: Finding): Attestation | null {
  const plain = { node_id: null, node: null, is_override: false, is_given: false };
  const answer = ANSWERS[code];
  if (answer) return { ...plain, ...answer };
  if (!OF_A_NODE.has(code)) return null;
  const node = String(facts.node);
  return {
    ...plain,
    is_given: code === "unreachable_node_attested",
    option: "attest_fenced",
    node_id: String(facts.node_id),
    node,
    label: fencedLabel(node),
  };
}

export const planFinding = (finding: Finding): PlanFinding => ({
  ...finding,
  attestation: attestation(finding),
});

const QUIET: Record<string, PlanStep["effect"]> = {
  swap_roles: {
    kind: "changes_records",
    sentence: "Changes Hawser's records, nothing on the servers.",
  },
  record_divergence: {
    kind: "changes_records",
    sentence: "Changes Hawser's records, nothing on the servers.",
  },
  hook: { kind: "calls_webhook", sentence: "Calls the webhook." },
  replay: {
    kind: "writes_rows",
    sentence:
      "Writes the rows of the orphans, one transaction at a time. Each row is compared first.",
  },
  fence: { kind: "stops_writes", sentence: "Closes the node to writes." },
  unfence: { kind: "allows_writes", sentence: "Opens the node to writes." },
  set_setting: {
    kind: "changes_setting",
    sentence: "Changes a setting of the server until its restart.",
  },
  probe: { kind: "writes_probe", sentence: "Writes one row into Hawser's own probe table." },
};

const PROOFS: Record<string, readonly [claim: string, method: string]> = {
  verify_fence: [
    "Clients can no longer write on the fenced side",
    "A write is attempted on every reachable node and must fail. The cluster must then log nothing of its own.",
  ],
  verify_caught_up: [
    "Everything that one side wrote is on the other side",
    "Its last transaction is found on the other side, and the content is compared.",
  ],
  unfence: [
    "The active side accepts writes",
    "read_only is read back as OFF on every node that was opened.",
  ],
};

/** The node of a step. */
export const on = (node: string) => ({ node, node_id: `n_${node.slice(3)}` });

export function planSteps(...parts: Partial<PlanStep>[]): PlanStep[] {
  const steps = parts.map((part, index) => ({
    index,
    code: "reread",
    title: "",
    node: null,
    node_id: null,
    sql: [],
    undo: [],
    point_of_no_return: false,
    ...part,
  }));
  const closed = steps.findIndex((step) => step.point_of_no_return);
  return steps.map((step, index) => {
    const words = PROOFS[step.code];
    const changes = step.sql.length > 0;
    return {
      ...step,
      effect: QUIET[step.code] ?? {
        kind: changes ? "changes_channel" : "reads",
        sentence: changes ? "Changes a replication channel." : "Reads only; changes nothing.",
      },
      proof: words
        ? {
            claim: words[0],
            method: words[1],
            on_failure: closed === -1 || index < closed ? "reverted" : "needs_operator",
          }
        : null,
    };
  });
}

const OPENING = new Set(["swap_roles", "unfence", "accept_queries"]);

export function writePause(steps: readonly RunStep[]): Run["write_pause"] {
  const began = steps.find((step) => step.code === "fence")?.started_at;
  const opening = steps.filter((step) => OPENING.has(step.code));
  if (!began || opening.length === 0) return null;
  const ended_at = opening.every((step) => step.ended_at)
    ? (opening.at(-1)?.ended_at ?? null)
    : null;
  return {
    started_at: began,
    ended_at,
    duration_s: ended_at === null ? null : (Date.parse(ended_at) - Date.parse(began)) / 1000,
    state: ended_at ? "ended" : "ongoing",
    ended_by: ended_at ? "opened" : null,
  };
}

export function rolesAfter(target: Plan["target"], steps: readonly RunStep[]): Run["roles_after"] {
  const swap = steps.find((step) => step.code === "swap_roles");
  if (!swap) return null;
  const next = { id: `c_${target.active_name}`, name: target.active_name ?? "" };
  const old = { id: `c_${target.standby_name}`, name: target.standby_name ?? "" };
  const is_swapped = swap.state === "succeeded";
  return {
    active: is_swapped ? next : old,
    standby: is_swapped ? old : next,
    is_swapped,
    is_opened_by_run: steps.some((step) => step.code === "unfence"),
  };
}

/** Of each step half a second is a wait for the servers, and a tenth the console's own work. */
export function timeSpent(created: number, steps: readonly RunStep[]): Run["time_spent"] {
  const queued_s = 0.04;
  const other_s = 0;
  const shown = steps.flatMap(({ index, ended_at }, position) => {
    if (!ended_at) return [];
    const since = steps[position - 1]?.ended_at;
    const began = since ? Date.parse(since) : created + 1000 * queued_s;
    const total_s = Math.round(Date.parse(ended_at) - began) / 1000;
    const [servers_s, processor_wait_s, database_s] = [0.5, 0.2, 0.06];
    const computing_s = Math.max(0, Math.round(1000 * (total_s - 0.76)) / 1000);
    const waits = { servers_s, processor_wait_s, database_s };
    return [{ index, total_s, ...waits, computing_s, other_s, server_trips: 18 }];
  });
  const sum = (part: "total_s" | "servers_s" | "processor_wait_s" | "database_s" | "computing_s") =>
    Math.round(1000 * shown.reduce((all, step) => all + step[part], 0)) / 1000;
  return {
    total_s: queued_s + sum("total_s"),
    waiting_approval_s: 0,
    queued_s,
    servers_s: sum("servers_s"),
    processor_wait_s: sum("processor_wait_s"),
    database_s: sum("database_s"),
    computing_s: sum("computing_s"),
    other_s,
    steps: shown,
  };
}
