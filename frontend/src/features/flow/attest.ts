/** Which findings a person's word can answer, and with which option of the next plan. */
import type { Finding, Plan, PlanOptions } from "@/api/types";

const text = (value: unknown): string => (typeof value === "string" ? value : "");

const NODES = new Set(["unseen_node_may_run", "unseen_node_may_write"]);

export interface Unseen {
  id: string;
  name: string;
}

/** The nodes nobody can see and that could still run a channel or take writes, as the server names them. */
export function unseenNodes(plan: Plan): Unseen[] {
  return plan.findings
    .filter((finding) => NODES.has(finding.code) && finding.facts.node_id)
    .map((finding) => ({ id: text(finding.facts.node_id), name: text(finding.facts.node) }))
    .filter((node, index, all) => all.findIndex((other) => other.id === node.id) === index);
}

type WordKey = "attest_accounts" | "accept_loss" | "override_partition" | "allow_long_transactions";

export interface Word {
  key: WordKey;
  label: string;
  /** An override of a danger, not a statement of fact. */
  serious: boolean;
  findings: Finding[];
}

/** What a person may say about a finding of this code, and how it is said. */
const WORDS: { key: WordKey; codes: readonly string[]; label: string; serious: boolean }[] = [
  {
    key: "attest_accounts",
    codes: ["accounts_through_fence"],
    label: "I attest that these accounts are quiet: nothing writes with them during the run",
    serious: false,
  },
  {
    key: "allow_long_transactions",
    codes: ["long_transactions"],
    label: "Go on although these transactions are open: writes pause until they have ended",
    serious: false,
  },
  {
    key: "accept_loss",
    codes: ["loss_not_accepted"],
    label: "I accept this loss",
    serious: false,
  },
  {
    key: "override_partition",
    codes: ["partition"],
    label: "Override: fail over although this side may be alive and take writes",
    serious: true,
  },
];

const isGrave = (finding: Finding) =>
  finding.severity === "blocker" || finding.severity === "unknown";

/** The words a refused plan asks for, each with the findings it would answer. */
export function wordsAsked(plan: Plan): Word[] {
  const said: PlanOptions = plan.options;
  return WORDS.flatMap(({ key, codes, label, serious }) => {
    const findings = plan.findings.filter((f) => codes.includes(f.code) && isGrave(f));
    return findings.length > 0 && !said[key] ? [{ key, label, serious, findings }] : [];
  });
}
