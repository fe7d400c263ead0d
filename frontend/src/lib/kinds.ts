/**
 * Every planned act in its own words: what happens, to what, where. Pages ask this table and
 * the guards in `flow`; none of them spells a kind by itself.
 */
import { counted } from "./numbers";

export const KINDS = [
  "relocate",
  "start_channel",
  "remove_stray_channel",
  "switchover",
  "failover",
  "reprotect",
  "failback",
  "accept_state_uuid",
] as const;
export type Kind = (typeof KINDS)[number];

/** Kinds that answer a finding: nobody rehearses them, and lists name them only where they are needed. */
export const UNREHEARSED: ReadonlySet<string> = new Set([
  "start_channel",
  "remove_stray_channel",
  "accept_state_uuid",
]);

/** A kind this console knows, or null: the server may know more. */
export const kindOf = (text: string | null | undefined): Kind | null =>
  KINDS.find((kind) => kind === text) ?? null;

/** Who plays in an act. A name that is not known yet is null, and the words do without it. */
export interface Cast {
  link: string;
  /** The side that stops taking writes; in a reprotect, the side that comes back. */
  from: string | null;
  /** The side that takes writes afterwards. */
  to: string | null;
  /** The node an act is about, where it is about one. */
  node: string | null;
}

interface KindWords {
  noun: string;
  /** The heading of its pages. */
  title: (cast: Cast) => string;
  /** The act as an order, for buttons and menus. */
  order: (cast: Cast) => string;
  /** What it does, in the order in which it is done. */
  does: (cast: Cast) => string[];
  /** What it costs the applications, in one line. */
  costs: (cast: Cast) => string;
  /** What its second page is for; null where there is nothing to choose. */
  choose: string | null;
  /** The button that asks the server for the plan. */
  check: (cast: Cast) => string;
}

const to = (cast: Cast, lead = " to ") => (cast.to ? `${lead}${cast.to}` : "");
const side = (name: string | null, role: string) => name ?? `the ${role} side`;
const lostSide = (cast: Cast) => side(cast.from, "lost");
const newSide = (cast: Cast) => side(cast.to, "other");

function switchSteps(cast: Cast): string[] {
  const [old, next] = [side(cast.from, "active"), newSide(cast)];
  return [
    `${old} is fenced: read_only on every node, proven by a write that must fail and a counter that stands still.`,
    `Both directions drain; the last transaction of each side is found on the other.`,
    `The roles are swapped: until here, abort restores everything, fences included.`,
    `${next} is opened for writes, and a probe goes both ways.`,
  ];
}

export const WORDS: Record<Kind, KindWords> = {
  relocate: {
    noun: "Relocate",
    title: (cast) => `Relocate ${cast.link}${cast.node ? ` off ${cast.node}` : ""}`,
    order: (cast) => `Relocate the link${cast.node ? ` off ${cast.node}` : ""}`,
    does: () => [
      "The place where the channels resume is searched on the new nodes and proven.",
      "The old channels are stopped, pointed at that place, and started.",
      "A probe goes both ways; the transactions around the seam are compared.",
    ],
    costs: () => "Writes go on throughout; nothing is lost.",
    choose: "Choose where the channels go",
    check: () => "Check the target",
  },
  start_channel: {
    noun: "Start the channel",
    title: (cast) =>
      `Start the channel${cast.node ? ` on ${cast.node}` : ""} where it stands · ${cast.link}`,
    order: (cast) => `Start the channel${cast.node ? ` on ${cast.node}` : ""} where it stands`,
    does: (cast) => [
      `The place of the channel on ${cast.node ?? "its replica"} is proven to be the last that was applied.`,
      "It is started there: no coordinate is set and no log is discarded.",
      "A probe goes through it; the transactions around the place are compared.",
    ],
    costs: () => "Writes go on throughout; nothing is lost.",
    choose: null,
    check: (cast) => `Check where ${cast.node ?? "the channel"} stands`,
  },
  remove_stray_channel: {
    noun: "Clean the old channel",
    title: (cast) => `Clean the old channel${cast.node ? ` on ${cast.node}` : ""} · ${cast.link}`,
    order: (cast) => `Clean the old channel${cast.node ? ` on ${cast.node}` : ""}`,
    does: (cast) => [
      `The old channel on ${cast.node ?? "the old holder"} is stopped and forgotten.`,
      "The channels that carry the link are not touched.",
    ],
    costs: () => "Writes go on throughout; nothing is lost.",
    choose: null,
    check: (cast) => `Check what ${cast.node ?? "the old holder"} still runs`,
  },
  switchover: {
    noun: "Switchover",
    title: (cast) => `Switch ${cast.link} over${to(cast)}`,
    order: (cast) => `Switch over${to(cast)}`,
    does: switchSteps,
    costs: () => "Writes pause from the fence until the new side is open; nothing is lost.",
    choose: "Choose how writes are fenced",
    check: (cast) => `Check a switchover${to(cast)}`,
  },
  failover: {
    noun: "Failover",
    title: (cast) => `Fail ${cast.link} over${to(cast)}`,
    order: (cast) => `Fail over${to(cast)}`,
    does: (cast) => [
      `What can be reached of ${lostSide(cast)} is fenced; what cannot must be attested by name.`,
      `${newSide(cast)} applies its relay log to the end.`,
      `Where the histories part is recorded: ${lostSide(cast)} is invalidated, and refused as a source until it is reconciled.`,
      `${newSide(cast)} is opened for writes on every node.`,
    ],
    costs: () =>
      "What the lost side acknowledged and never sent is lost to the survivor; the plan says how much.",
    choose: "Say what is fenced, and what may be lost",
    check: (cast) => `Check a failover${to(cast)}`,
  },
  reprotect: {
    noun: "Reprotect",
    title: (cast) => `Reprotect ${cast.link}${cast.from ? ` with ${cast.from}` : ""}`,
    order: (cast) => `Bring ${lostSide(cast)} back as the standby`,
    does: (cast) => [
      `${lostSide(cast)} stays fenced; its orphans, transactions ${newSide(cast)} never received, are found and shown.`,
      "They are replayed, undone, or given up with a rebuild: you choose.",
      `Both channels are set up again, and ${lostSide(cast)} follows as the new standby.`,
    ],
    costs: (cast) => `${newSide(cast)} takes writes throughout.`,
    choose: "Choose what becomes of the orphans",
    check: (cast) => `Check how ${lostSide(cast)} comes back`,
  },
  failback: {
    noun: "Failback",
    title: (cast) => `Take ${cast.link} home${to(cast)}`,
    order: (cast) => `Go home${to(cast)}`,
    does: switchSteps,
    costs: () => "Writes pause from the fence until the home side is open; nothing is lost.",
    choose: null,
    check: (cast) => `Check the way home${to(cast)}`,
  },
  accept_state_uuid: {
    noun: "Accept the new history",
    title: (cast) => `Accept the new history · ${cast.link}`,
    order: () => "Accept the new history",
    does: () => [
      "Both channels are stopped; what each side last applied is found, by its content, in the other one's binary log.",
      "They go on from there, a probe goes both ways, and the transactions around the seam are compared.",
      "Only then the new state UUID is recorded; samples from before it bound nothing any more.",
    ],
    costs: () => "Writes go on throughout; nothing is lost.",
    choose: null,
    check: () => "Check that the stream goes on",
  },
};

/** The noun of a kind for lists; a kind this console does not know keeps its own name. */
export const nounOf = (kind: string): string => {
  const known = kindOf(kind);
  return known ? WORDS[known].noun : kind;
};

/** The heading of the pages of an act. */
export const titleOf = (kind: string, cast: Cast): string => {
  const known = kindOf(kind);
  return known ? WORDS[known].title(cast) : `${kind} ${cast.link}`;
};

/** What becomes of the transactions that only the lost side has. */
export const ORPHAN_WAYS = ["fence", "attach", "replay", "undo", "rebuild"] as const;
export type OrphanWay = (typeof ORPHAN_WAYS)[number];

export interface WayWords {
  title: string;
  /** What it does, to what, where. */
  does: string;
  /** What is different afterwards. */
  after: string;
}

/** The ways of bringing a lost side back, each with what it does. */
export function wayWords(way: OrphanWay, cast: Cast): WayWords {
  const [lost, survivor] = [lostSide(cast), newSide(cast)];
  switch (way) {
    case "fence":
      return {
        title: `Fence ${lost}, and nothing else`,
        does: `read_only on every node of ${lost}, proven: what it holds alone can then be counted in peace.`,
        after: "It is not attached yet; decide about the orphans afterwards.",
      };
    case "attach":
      return {
        title: `Attach ${lost} as it stands`,
        does: "The channels are set up and nothing else is changed.",
        after: "Refused if a single orphan is found.",
      };
    case "replay":
      return {
        title: `Replay the orphans on ${survivor}`,
        does: `Each orphan is applied on ${survivor}, transaction by transaction, and refused where a row is not as the orphan found it; then taken back on ${lost}, which receives it anew.`,
        after: `Nothing is given up: both sides then have every transaction.`,
      };
    case "undo":
      return {
        title: `Undo the orphans on ${lost}`,
        does: `The row changes are taken back on ${lost}, last first, each row compared before it is changed.`,
        after:
          "The orphans are given up; the export keeps them. A schema change among them cannot be undone.",
      };
    case "rebuild":
      return {
        title: `Rebuild ${lost} from ${survivor}`,
        does: `You copy ${survivor} onto ${lost} with mariadb-backup; the checks name the commands. Once the copy is up it is attached where its backup was taken, proven by its rows.`,
        after: "The orphans are given up; the export keeps them. Takes as long as the copy takes.",
      };
  }
}

const REPROTECT_ACT: Record<OrphanWay, (cast: Cast) => string> = {
  fence: (cast) => `Fence ${lostSide(cast)}`,
  attach: (cast) => `Attach ${lostSide(cast)} as the standby`,
  replay: (cast) =>
    `Replay the orphans on ${newSide(cast)}, then attach ${side(cast.from, "lost")}`,
  undo: (cast) => `Undo the orphans on ${lostSide(cast)}, then attach it`,
  rebuild: (cast) => `Rebuild ${lostSide(cast)} from ${newSide(cast)}, then attach it`,
};

/** What a failover loses is counted from what was seen; nobody counts what nobody saw. */
export const lossOrder = (transactions: number | null): string =>
  transactions === null
    ? "lose a number of transactions nobody knows"
    : transactions === 0
      ? "lose nothing that was seen"
      : `lose at most ${counted(transactions, "transaction")} seen`;

export interface ActIn {
  kind: string;
  cast: Cast;
  sourceName: string;
  replicaName: string;
  lossTransactions: number | null;
  way: OrphanWay;
}

/** What the button that starts a plan does, in words. */
export function actWords(act: ActIn): string {
  const { cast } = act;
  const fence = cast.from ? `, fence ${cast.from}` : "";
  switch (kindOf(act.kind)) {
    case "relocate":
      return act.sourceName
        ? `Move both channels to ${act.sourceName} ⇄ ${act.replicaName}`
        : `Run this plan on ${cast.link}`;
    case "start_channel":
      return `Start the channel on ${cast.node ?? "its replica"} where it stands`;
    case "remove_stray_channel":
      return `Clean the old channel on ${cast.node ?? "the old holder"}`;
    case "switchover":
      return `Switch over${to(cast)}${fence}`;
    case "failback":
      return `Go home${to(cast)}${fence}`;
    case "failover":
      return `Fail over${to(cast)}, ${lossOrder(act.lossTransactions)}`;
    case "reprotect":
      return REPROTECT_ACT[act.way](cast);
    case "accept_state_uuid":
      return "Prove the stream, then accept the new history";
    case null:
      return `Run this plan on ${cast.link}`;
  }
}

export interface SideIn {
  id: string;
  name: string;
}

export interface RolesIn {
  name: string;
  active: SideIn;
  standby: SideIn;
  homeId: string;
}

/** Who takes writes after an act that begins now, by the roles of this moment. */
function winner(kind: Kind, link: RolesIn): SideIn {
  switch (kind) {
    case "failback":
      return link.standby.id === link.homeId ? link.standby : link.active;
    case "switchover":
    case "failover":
      return link.standby;
    default:
      return link.active;
  }
}

/** Who plays in an act that would begin now. */
export function castOf(kind: Kind, link: RolesIn, node: string | null): Cast {
  const next = winner(kind, link);
  const other = next.id === link.active.id ? link.standby : link.active;
  return { link: link.name, from: other.name, to: next.name, node };
}
