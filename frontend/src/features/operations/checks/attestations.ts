/** Which findings a person's word can answer, and with which option of the next plan. */
import type { Finding, Plan, PlanOptions } from "@/api/types";

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** "unreachable_node_may_run": whoever may hold a channel; the others: whoever loses its writes. */
const NODES = new Set(["unreachable_node_may_run", "node_not_attested", "node_cannot_be_fenced"]);

export interface UnreachableNode {
  id: string;
  name: string;
}

/** The nodes nobody can see and that could still run a channel or take writes, as the server names them. */
export function unreachableNodes(plan: Plan): UnreachableNode[] {
  return plan.findings
    .filter(
      (finding) =>
        NODES.has(finding.code) && finding.severity === "unknown" && finding.facts.reach !== "up",
    )
    .filter((finding) => finding.facts.node_id)
    .map((finding) => ({ id: text(finding.facts.node_id), name: text(finding.facts.node) }))
    .filter((node, index, all) => all.findIndex((other) => other.id === node.id) === index);
}

type WordKey =
  | "attest_accounts"
  | "attest_site_path"
  | "attest_error_over"
  | "attest_unknown_runs"
  | "accept_loss"
  | "override_partition"
  | "allow_long_transactions"
  | "skip_conflicts";

export interface Attestation {
  key: WordKey;
  label: string;
  /** An override of a danger, not a statement of fact. */
  isOverride: boolean;
  findings: Finding[];
}

/** What a person may say about a finding of these codes, and how it is said. */
const WORDS: { key: WordKey; codes: readonly string[]; label: string; isOverride: boolean }[] = [
  {
    key: "attest_accounts",
    codes: ["accounts_unknown"],
    label: "I attest that no account writes through the fence during the run",
    isOverride: false,
  },
  {
    key: "attest_site_path",
    codes: ["site_path_unknown"],
    label: "I attest that the way between the sites is open for the new nodes",
    isOverride: false,
  },
  {
    key: "attest_error_over",
    codes: ["transaction_would_fail_again"],
    label:
      "I attest that the cause of this error is gone: the channel tries that transaction again",
    isOverride: false,
  },
  {
    key: "attest_unknown_runs",
    codes: ["unknown_runs_found"],
    label:
      "I attest that no other console works on this link, and that its channels are right as they stand",
    isOverride: true,
  },
  {
    key: "allow_long_transactions",
    codes: ["long_transaction"],
    label: "Go on although these transactions are open: their commits will fail behind the fence",
    isOverride: false,
  },
  {
    key: "skip_conflicts",
    codes: ["orphans_conflict"],
    label: "Leave these transactions out: they are given up, and the export keeps them",
    isOverride: false,
  },
  {
    key: "accept_loss",
    codes: ["loss_not_accepted", "relay_log_not_drained", "orphans_rebuild", "orphans_unknown"],
    label: "I accept this loss",
    isOverride: false,
  },
  {
    key: "override_partition",
    codes: ["sites_are_parted", "active_site_lives", "active_site_seen_by_standby"],
    label: "Override: fail over although the other side may be alive and take writes",
    isOverride: true,
  },
];

const isGrave = (finding: Finding) =>
  finding.severity === "blocker" || finding.severity === "unknown";

/** Not knowing the orphans is answered for only where they are given up; elsewhere they are looked for. */
const isAnswerable = (finding: Finding, plan: Plan) =>
  finding.code !== "orphans_unknown" || plan.options.orphans === "rebuild";

const GIVEN = new Set(["loss_accepted", "partition_overridden"]);

/** What a person has answered for already, in the server's words. */
export const givenAttestations = (plan: Plan): Finding[] =>
  plan.findings.filter((finding) => finding.code.endsWith("_attested") || GIVEN.has(finding.code));

/** The words a refused plan asks for, each with the findings it would answer. */
export function requiredAttestations(plan: Plan): Attestation[] {
  const said: PlanOptions = plan.options;
  return WORDS.flatMap(({ key, codes, label, isOverride }) => {
    const findings = plan.findings.filter(
      (f) => codes.includes(f.code) && isGrave(f) && isAnswerable(f, plan),
    );
    return findings.length > 0 && !said[key] ? [{ key, label, isOverride, findings }] : [];
  });
}
