/** The label of the button that starts a plan: the operation and its target. */
import { pluralize } from "@/lib/format/number";
import {
  kindOf,
  lostSide,
  newSide,
  OPERATIONS,
  type OrphanStrategy,
  type Participants,
} from "./operations";

/** The data loss of a failover: at least what was read of the lost side and has not arrived. */
export function dataLossClause(transactions: number | null, atLeast: number | null): string {
  const known = transactions ?? atLeast;
  if (known) return `lose at least ${pluralize(known, "transaction")}`;
  return transactions === null ? "accept an unknown data loss" : "no known data loss";
}

const REPROTECT_LABEL: Record<OrphanStrategy, (participants: Participants) => string> = {
  fence: (participants) => `Fence ${lostSide(participants)}`,
  attach: (participants) => `Attach ${lostSide(participants)} as the standby`,
  replay: (participants) =>
    `Replay the orphaned transactions on ${newSide(participants)}, then attach ${lostSide(participants)}`,
  undo: (participants) =>
    `Undo the orphaned transactions on ${lostSide(participants)}, then attach it`,
  rebuild: (participants) =>
    `Rebuild ${lostSide(participants)} from ${newSide(participants)}, then attach it`,
};

export interface ConfirmInput {
  kind: string;
  participants: Participants;
  sourceName: string;
  replicaName: string;
  lossTransactions: number | null;
  lossAtLeast: number | null;
  strategy: OrphanStrategy;
}

export function confirmLabel(input: ConfirmInput): string {
  const { participants } = input;
  const kind = kindOf(input.kind);
  const fence = participants.from ? `, fence ${participants.from}` : "";
  switch (kind) {
    case "relocate":
      return input.sourceName
        ? `Move both channels to ${input.sourceName} ⇄ ${input.replicaName}`
        : `Run this plan on ${participants.link}`;
    case "switchover":
    case "failback":
      return `${OPERATIONS[kind].action(participants)}${fence}`;
    case "failover":
      return `${OPERATIONS[kind].action(participants)}, ${dataLossClause(input.lossTransactions, input.lossAtLeast)}`;
    case "reprotect":
      return REPROTECT_LABEL[input.strategy](participants);
    case null:
      return `Run this plan on ${participants.link}`;
    default:
      return OPERATIONS[kind].action(participants);
  }
}
