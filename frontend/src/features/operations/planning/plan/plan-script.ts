import type { Plan } from "@/api/types";
import { confirmLabel } from "@/domain/confirm-label";
import type { Participants } from "@/domain/operations";

const PLACEHOLDER = /\{\{(?:forward|reverse)\.\w+\}\}/g;

/** Names the placeholders of positions that are unknown until their channel has stopped. */
function placeholderNote(plan: Plan): string {
  const names = new Set(plan.steps.flatMap((step) => step.sql.join().match(PLACEHOLDER) ?? []));
  if (names.size === 0) return "";
  return `-- ${[...names].join(", ")}: known only once the channel has stopped. The runbook explains how to find the position then.\n`;
}

/** All statements with their nodes, as one text for a terminal or a ticket. */
export function planAsSqlScript(plan: Plan): string {
  const head = `-- Hawser plan ${plan.id} for ${plan.link_name}: ${plan.summary}\n-- digest ${plan.digest}\n${placeholderNote(plan)}`;
  const steps = plan.steps.map((step, position) => {
    const mark = step.point_of_no_return ? "-- POINT OF NO RETURN\n" : "";
    const node = step.node ? ` on ${step.node}` : "";
    const sql = step.sql.map((line) => `${line.replace(/;\s*$/, "")};`).join("\n");
    return `${mark}-- ${position + 1}. ${step.title}${node}\n${sql || `-- ${step.effect.sentence}`}`;
  });
  return [head, ...steps].join("\n");
}

/** Operations on one node's channel, which their first statement names; or on the channels of several. */
const ABOUT_A_NODE = new Set(["start_channel", "remove_stray_channel"]);

const startsSeveral = ({ steps }: Plan) =>
  new Set(steps.filter(({ code }) => code === "start_channel").map(({ node }) => node)).size > 1;

const nodeOf = (plan: Plan): string | null =>
  plan.kind === "start_channel" && startsSeveral(plan) ? null : firstNode(plan);

const firstNode = (plan: Plan): string | null =>
  plan.situation.lost[0] ??
  plan.steps.find((step) => step.sql.length > 0)?.node ??
  plan.steps.find((step) => step.node)?.node ??
  null;

/** The label of the button that starts this plan. */
export const planConfirmLabel = (plan: Plan, participants: Participants): string =>
  confirmLabel({
    kind: plan.kind,
    participants: ABOUT_A_NODE.has(plan.kind)
      ? { ...participants, node: nodeOf(plan) }
      : participants,
    sourceName: plan.target.source_name,
    replicaName: plan.target.replica_name,
    lossTransactions: plan.loss.transactions,
    lossAtLeast: plan.loss.at_least,
    strategy: plan.options.orphans ?? "attach",
  });
