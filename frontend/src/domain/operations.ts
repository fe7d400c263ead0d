/**
 * Every planned act in its own words: what happens, to what, where. Pages ask this table and
 * the guards in `flow`; none of them spells a kind by itself.
 */
import { pluralize } from "@/lib/format/number";

export const OPERATION_KINDS = [
  "relocate",
  "start_channel",
  "remove_stray_channel",
  "switchover",
  "failover",
  "reprotect",
  "failback",
  "accept_state_uuid",
] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** Kinds that answer a finding: nobody rehearses them, and lists name them only where they are needed. */
export const UNREHEARSED: ReadonlySet<string> = new Set([
  "start_channel",
  "remove_stray_channel",
  "accept_state_uuid",
]);

/** A kind this console knows, or null: the server may know more. */
export const kindOf = (text: string | null | undefined): OperationKind | null =>
  OPERATION_KINDS.find((kind) => kind === text) ?? null;

/** What an operation is about. A name that is unknown is null, and the texts do without it. */
export interface Participants {
  link: string;
  /** The side that stops taking writes; in a reprotect, the side that comes back. */
  from: string | null;
  /** The side that takes writes afterwards. */
  to: string | null;
  /** The node an act is about, where it is about one. */
  node: string | null;
}

interface OperationText {
  noun: string;
  /** The heading of its pages. */
  title: (participants: Participants) => string;
  /** The act as an order, for buttons and menus. */
  action: (participants: Participants) => string;
  /** What it does, in the order in which it is done. */
  description: (participants: Participants) => string[];
  /** What it costs the applications, in one line. */
  impact: (participants: Participants) => string;
  /** What its second page is for; null where there is nothing to choose. */
  choose: string | null;
  /** The button that asks the server for the plan. */
  check: (participants: Participants) => string;
}

const to = (participants: Participants, lead = " to ") =>
  participants.to ? `${lead}${participants.to}` : "";
const side = (name: string | null, role: string) => name ?? `the ${role} side`;
const lostSide = (participants: Participants) => side(participants.from, "lost");
const newSide = (participants: Participants) => side(participants.to, "other");

function switchSteps(participants: Participants): string[] {
  const [old, next] = [side(participants.from, "active"), newSide(participants)];
  return [
    `${old} is fenced: read_only on every node, proven by a write that must fail and a counter that stands still.`,
    `Both directions drain; the last transaction of each side is found on the other.`,
    `The roles are swapped: until here, abort restores everything, fences included.`,
    `${next} is opened for writes, and a probe goes both ways.`,
  ];
}

export const OPERATIONS: Record<OperationKind, OperationText> = {
  relocate: {
    noun: "Relocate",
    title: (participants) =>
      `Relocate ${participants.link}${participants.node ? ` off ${participants.node}` : ""}`,
    action: (participants) =>
      `Relocate the link${participants.node ? ` off ${participants.node}` : ""}`,
    description: () => [
      "The place where the channels resume is searched on the new nodes and proven.",
      "The old channels are stopped, pointed at that place, and started.",
      "A probe goes both ways; the transactions around the seam are compared.",
    ],
    impact: () => "Writes go on throughout; nothing is lost.",
    choose: "Choose where the channels go",
    check: () => "Check the target",
  },
  start_channel: {
    noun: "Start the channel",
    title: (participants) =>
      `Start the channel${participants.node ? ` on ${participants.node}` : ""} where it stands · ${participants.link}`,
    action: (participants) =>
      `Start the channel${participants.node ? ` on ${participants.node}` : ""} where it stands`,
    description: (participants) => [
      `The place of the channel on ${participants.node ?? "its replica"} is proven to be the last that was applied.`,
      "It is started there: no coordinate is set and no log is discarded.",
      "A probe goes through it; the transactions around the place are compared.",
    ],
    impact: () => "Writes go on throughout; nothing is lost.",
    choose: null,
    check: (participants) => `Check where ${participants.node ?? "the channel"} stands`,
  },
  remove_stray_channel: {
    noun: "Clean the old channel",
    title: (participants) =>
      `Clean the old channel${participants.node ? ` on ${participants.node}` : ""} · ${participants.link}`,
    action: (participants) =>
      `Clean the old channel${participants.node ? ` on ${participants.node}` : ""}`,
    description: (participants) => [
      `The old channel on ${participants.node ?? "the old holder"} is stopped and forgotten.`,
      "The channels that carry the link are not touched.",
    ],
    impact: () => "Writes go on throughout; nothing is lost.",
    choose: null,
    check: (participants) => `Check what ${participants.node ?? "the old holder"} still runs`,
  },
  switchover: {
    noun: "Switchover",
    title: (participants) => `Switch ${participants.link} over${to(participants)}`,
    action: (participants) => `Switch over${to(participants)}`,
    description: switchSteps,
    impact: () => "Writes pause from the fence until the new side is open; nothing is lost.",
    choose: "Choose how writes are fenced",
    check: (participants) => `Check a switchover${to(participants)}`,
  },
  failover: {
    noun: "Failover",
    title: (participants) => `Fail ${participants.link} over${to(participants)}`,
    action: (participants) => `Fail over${to(participants)}`,
    description: (participants) => [
      `What can be reached of ${lostSide(participants)} is fenced; what cannot must be attested by name.`,
      `${newSide(participants)} applies its relay log to the end.`,
      `Where the histories part is recorded: ${lostSide(participants)} is invalidated, and refused as a source until it is reconciled.`,
      `${newSide(participants)} is opened for writes on every node.`,
    ],
    impact: () =>
      "What the lost side acknowledged and never sent is lost to the survivor; the plan says how much.",
    choose: "Say what is fenced, and what may be lost",
    check: (participants) => `Check a failover${to(participants)}`,
  },
  reprotect: {
    noun: "Reprotect",
    title: (participants) =>
      `Reprotect ${participants.link}${participants.from ? ` with ${participants.from}` : ""}`,
    action: (participants) => `Bring ${lostSide(participants)} back as the standby`,
    description: (participants) => [
      `${lostSide(participants)} stays fenced; its orphans, transactions ${newSide(participants)} never received, are found and shown.`,
      "They are replayed, undone, or given up with a rebuild: you choose.",
      `Both channels are set up again, and ${lostSide(participants)} follows as the new standby.`,
    ],
    impact: (participants) => `${newSide(participants)} takes writes throughout.`,
    choose: "Choose what becomes of the orphans",
    check: (participants) => `Check how ${lostSide(participants)} comes back`,
  },
  failback: {
    noun: "Failback",
    title: (participants) => `Take ${participants.link} home${to(participants)}`,
    action: (participants) => `Go home${to(participants)}`,
    description: switchSteps,
    impact: () => "Writes pause from the fence until the home side is open; nothing is lost.",
    choose: null,
    check: (participants) => `Check the way home${to(participants)}`,
  },
  accept_state_uuid: {
    noun: "Accept the new history",
    title: (participants) => `Accept the new history · ${participants.link}`,
    action: () => "Accept the new history",
    description: () => [
      "Both channels are stopped; what each side last applied is found, by its content, in the other one's binary log.",
      "They go on from there, a probe goes both ways, and the transactions around the seam are compared.",
      "Only then the new state UUID is recorded; samples from before it bound nothing any more.",
    ],
    impact: () => "Writes go on throughout; nothing is lost.",
    choose: null,
    check: () => "Check that the stream goes on",
  },
};

/** The noun of a kind for lists; a kind this console does not know keeps its own name. */
export const operationLabel = (kind: string): string => {
  const known = kindOf(kind);
  return known ? OPERATIONS[known].noun : kind;
};

/** The heading of the pages of an act. */
export const operationTitle = (kind: string, participants: Participants): string => {
  const known = kindOf(kind);
  return known ? OPERATIONS[known].title(participants) : `${kind} ${participants.link}`;
};

/** What becomes of the transactions that only the lost side has. */
export const ORPHAN_STRATEGIES = ["fence", "attach", "replay", "undo", "rebuild"] as const;
export type OrphanStrategy = (typeof ORPHAN_STRATEGIES)[number];

export interface StrategyText {
  title: string;
  /** What it does, to what, where. */
  description: string;
  /** What is different afterwards. */
  after: string;
}

/** The ways of bringing a lost side back, each with what it does. */
export function orphanStrategyText(way: OrphanStrategy, participants: Participants): StrategyText {
  const [lost, survivor] = [lostSide(participants), newSide(participants)];
  switch (way) {
    case "fence":
      return {
        title: `Fence ${lost}, and nothing else`,
        description: `read_only on every node of ${lost}, proven: what it holds alone can then be counted in peace.`,
        after: "It is not attached yet; decide about the orphans afterwards.",
      };
    case "attach":
      return {
        title: `Attach ${lost} as it stands`,
        description: "The channels are set up and nothing else is changed.",
        after: "Refused if a single orphan is found.",
      };
    case "replay":
      return {
        title: `Replay the orphans on ${survivor}`,
        description: `Each orphan is applied on ${survivor}, transaction by transaction, and refused where a row is not as the orphan found it; then taken back on ${lost}, which receives it anew.`,
        after: `Nothing is given up: both sides then have every transaction.`,
      };
    case "undo":
      return {
        title: `Undo the orphans on ${lost}`,
        description: `The row changes are taken back on ${lost}, last first, each row compared before it is changed.`,
        after:
          "The orphans are given up; the export keeps them. A schema change among them cannot be undone.",
      };
    case "rebuild":
      return {
        title: `Rebuild ${lost} from ${survivor}`,
        description: `You copy ${survivor} onto ${lost} with mariadb-backup; the checks name the commands. Once the copy is up it is attached where its backup was taken, proven by its rows.`,
        after: "The orphans are given up; the export keeps them. Takes as long as the copy takes.",
      };
  }
}

const REPROTECT_LABEL: Record<OrphanStrategy, (participants: Participants) => string> = {
  fence: (participants) => `Fence ${lostSide(participants)}`,
  attach: (participants) => `Attach ${lostSide(participants)} as the standby`,
  replay: (participants) =>
    `Replay the orphans on ${newSide(participants)}, then attach ${side(participants.from, "lost")}`,
  undo: (participants) => `Undo the orphans on ${lostSide(participants)}, then attach it`,
  rebuild: (participants) =>
    `Rebuild ${lostSide(participants)} from ${newSide(participants)}, then attach it`,
};

/** What a failover loses is counted from what was seen; nobody counts what nobody saw. */
export const dataLossClause = (transactions: number | null): string =>
  transactions === null
    ? "lose a number of transactions nobody knows"
    : transactions === 0
      ? "lose nothing that was seen"
      : `lose at most ${pluralize(transactions, "transaction")} seen`;

export interface ConfirmInput {
  kind: string;
  participants: Participants;
  sourceName: string;
  replicaName: string;
  lossTransactions: number | null;
  strategy: OrphanStrategy;
}

/** What the button that starts a plan does, in words. */
export function confirmLabel(act: ConfirmInput): string {
  const { participants } = act;
  const fence = participants.from ? `, fence ${participants.from}` : "";
  switch (kindOf(act.kind)) {
    case "relocate":
      return act.sourceName
        ? `Move both channels to ${act.sourceName} ⇄ ${act.replicaName}`
        : `Run this plan on ${participants.link}`;
    case "start_channel":
      return `Start the channel on ${participants.node ?? "its replica"} where it stands`;
    case "remove_stray_channel":
      return `Clean the old channel on ${participants.node ?? "the old holder"}`;
    case "switchover":
      return `Switch over${to(participants)}${fence}`;
    case "failback":
      return `Go home${to(participants)}${fence}`;
    case "failover":
      return `Fail over${to(participants)}, ${dataLossClause(act.lossTransactions)}`;
    case "reprotect":
      return REPROTECT_LABEL[act.strategy](participants);
    case "accept_state_uuid":
      return "Prove the stream, then accept the new history";
    case null:
      return `Run this plan on ${participants.link}`;
  }
}
