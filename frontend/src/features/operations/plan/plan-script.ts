import type { Plan } from "@/api/types";
import { confirmLabel, type Participants } from "@/domain/operations";
import { pluralize } from "@/lib/format/number";

/** The server wants a reason for every plan; looking is free, so the real one may wait until the confirmation. */
const NOT_YET = "not given yet";

export const reasonToSend = (typed: string): string => typed.trim() || NOT_YET;

/** The reason a person gave, or nothing. */
export const reasonGiven = (plan: Plan): string => (plan.reason === NOT_YET ? "" : plan.reason);

const MARK = /\{\{(?:forward|reverse)\.\w+\}\}/g;

/** What stands for a place that moves until its channel is stopped; nobody may fill in the one of before. */
function placeholderNote(plan: Plan): string {
  const marks = new Set(plan.steps.flatMap((step) => step.sql.join().match(MARK) ?? []));
  if (marks.size === 0) return "";
  return `-- ${[...marks].join(", ")}: known only once the channel is stopped; the runbook says how to find it then\n`;
}

/** All statements with their nodes, as one text for a terminal or a ticket. */
export function planAsSqlScript(plan: Plan): string {
  const head = `-- Hawser plan ${plan.id} for ${plan.link_name}: ${plan.summary}\n-- digest ${plan.digest}\n${placeholderNote(plan)}`;
  const steps = plan.steps.map((step, position) => {
    const wall = step.point_of_no_return ? "-- POINT OF NO RETURN\n" : "";
    const where = step.node ? ` on ${step.node}` : "";
    const sql = step.sql.map((line) => `${line.replace(/;\s*$/, "")};`).join("\n");
    return `${wall}-- ${position + 1}. ${step.title}${where}\n${sql || "-- reads only"}`;
  });
  return [head, ...steps].join("\n");
}

/** What the button that starts this plan does, in words. */
export const planConfirmLabel = (plan: Plan, participants: Participants): string =>
  confirmLabel({
    kind: plan.kind,
    participants: ABOUT_A_NODE.has(plan.kind)
      ? { ...participants, node: nodeOf(plan) }
      : participants,
    sourceName: plan.target.source_name,
    replicaName: plan.target.replica_name,
    lossTransactions: plan.loss.transactions,
    strategy: plan.options.orphans ?? "attach",
  });

/** Acts on one node's channel, which their first statement names. */
const ABOUT_A_NODE = new Set(["start_channel", "remove_stray_channel"]);

const nodeOf = (plan: Plan): string | null =>
  plan.situation.lost[0] ??
  plan.steps.find((step) => step.sql.length > 0)?.node ??
  plan.steps.find((step) => step.node)?.node ??
  null;

/** The loss in one line; unknown is said as unknown, and a failover counts only what was seen. */
export function dataLossLabel(plan: Plan): string {
  const { transactions } = plan.loss;
  if (transactions === null) return "Loss: not known";
  if (transactions === 0)
    return plan.kind === "failover" ? "Nothing that was seen is lost" : "Nothing is lost";
  return `At most ${pluralize(transactions, "transaction")} seen ${transactions === 1 ? "is" : "are"} lost`;
}
