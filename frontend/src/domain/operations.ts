/** The texts of every operation. Pages read this table and the workflow's guards; none of them spells a kind itself. */

import { kindOf, type OperationKind, type OrphanStrategy } from "./operation-kinds";

export { isRehearsed, kindOf, OPERATION_KINDS, ORPHAN_STRATEGIES } from "./operation-kinds";
export type { OperationKind, OrphanStrategy };

/** What an operation is about. An unknown name is null, and the texts omit it. */
export interface Participants {
  link: string;
  /** The side that becomes read-only; in a reprotect, the returned side. */
  from: string | null;
  /** The side that is active afterwards. */
  to: string | null;
  /** The node the operation is about; null where it is about no single node. */
  node: string | null;
}

interface OperationText {
  noun: string;
  /** The heading of its pages. */
  title: (participants: Participants) => string;
  /** The operation as a command, for buttons and menus. */
  action: (participants: Participants) => string;
  /** What it does, in the order of its steps. */
  description: (participants: Participants) => string[];
  /** Its effect on the applications. */
  impact: (participants: Participants) => string;
  /** The button that leads to the target page; null where there is nothing to choose. */
  choose: ((participants: Participants) => string) | null;
  /** The button that asks the server for the plan. */
  check: (participants: Participants) => string;
}

const to = (participants: Participants) => (participants.to ? ` to ${participants.to}` : "");
const onNode = (participants: Participants) =>
  participants.node ? ` on ${participants.node}` : "";
const offNode = (participants: Participants) =>
  participants.node ? ` off ${participants.node}` : "";
const side = (name: string | null, role: string) => name ?? `the ${role} side`;
/** In a failover the lost side, in a reprotect the same side once it has returned. */
export const lostSide = (participants: Participants) => side(participants.from, "lost");
export const newSide = (participants: Participants) => side(participants.to, "other");

/** Without a node it is about every channel that is stopped. */
const stoppedChannels = ({ node }: Participants) =>
  node ? `the channel on ${node}` : "the stopped channels";

const NO_IMPACT = "Writes continue throughout. No data is lost.";
const COMPARED =
  "A probe write in each direction is checked, and the transactions around the resume position are compared.";

function switchSteps(participants: Participants): string[] {
  const [old, next] = [side(participants.from, "active"), newSide(participants)];
  return [
    `${old} is fenced: read_only=ON on every node. A test write must fail, and the commit counter must not move.`,
    "Both channels catch up. The last transaction of each side is confirmed on the other.",
    "The roles are swapped. Until this step, aborting restores everything, including the fence.",
    `${next} is opened for writes unless it is open already, and a probe write in each direction is checked.`,
  ];
}

export const OPERATIONS: Record<OperationKind, OperationText> = {
  relocate: {
    noun: "Relocate",
    title: (participants) => `Relocate ${participants.link}${offNode(participants)}`,
    action: (participants) => `Relocate the link${offNode(participants)}`,
    description: () => [
      "Hawser finds the exact resume position on the new nodes and proves it.",
      "The channels are stopped, repointed to that position and started.",
      COMPARED,
    ],
    impact: () => NO_IMPACT,
    choose: () => "Choose new nodes",
    check: () => "Check target",
  },
  start_channel: {
    noun: "Channel start",
    title: (participants) => `Start ${stoppedChannels(participants)} · ${participants.link}`,
    action: (participants) => `Start ${stoppedChannels(participants)}`,
    description: (participants) => [
      participants.node
        ? `Hawser proves that the channel on ${participants.node} stopped right behind the last transaction it applied.`
        : "Hawser proves that each stopped channel stands right behind the last transaction it applied.",
      "It is started at its current position. No position is changed, and no log is discarded.",
      "A probe write through the channel is checked, and the transactions around the position are compared.",
    ],
    impact: () => NO_IMPACT,
    choose: null,
    check: (participants) =>
      participants.node
        ? `Check channel position on ${participants.node}`
        : "Check the stopped channels",
  },
  create_channels: {
    noun: "Channel creation",
    title: (participants) => `Create the channels · ${participants.link}`,
    action: () => "Create the channels",
    description: (participants) => [
      `Hawser proves that both sides hold equal data, or that ${side(participants.from, "standby")} is a copy of ${side(participants.to, "active")} as of its backup.`,
      "The position at which each channel begins is read while that holds.",
      "Both channels are created and started. A probe write in each direction is checked.",
    ],
    impact: (participants) =>
      `No data is changed. Where both sides are compared, writes are refused for that time; a copy begins while ${side(participants.to, "active")} stays writable.`,
    choose: () => "Choose what the standby side holds",
    check: () => "Check both sides",
  },
  remove_stray_channel: {
    noun: "Stray channel removal",
    title: (participants) =>
      `Remove the stray channel${onNode(participants)} · ${participants.link}`,
    action: (participants) => `Remove the stray channel${onNode(participants)}`,
    description: (participants) => [
      `The stray channel on ${participants.node ?? "the old replica"} is stopped and removed.`,
      "The current channels of the link are not changed.",
    ],
    impact: () => NO_IMPACT,
    choose: null,
    check: (participants) => `Check stray channel${onNode(participants)}`,
  },
  remove_channels: {
    noun: "Channel removal",
    title: (participants) => `Remove all channels · ${participants.link}`,
    action: () => "Remove all channels",
    description: () => [
      "Every channel of the link is stopped, and the position where it stopped is recorded.",
      "All of them are removed. Until the first one is removed, aborting starts the channels again.",
      "Every node is read: none may have a channel of the link any more.",
    ],
    impact: (participants) =>
      `Writes continue, but replication ends: ${side(participants.to, "active")} and ${side(participants.from, "standby")} diverge from then on.`,
    choose: null,
    check: () => "Check what ends",
  },
  fence_standby: {
    noun: "Fence of the standby side",
    title: (participants) => `Fence the standby side · ${participants.link}`,
    action: (participants) => `Fence ${side(participants.from, "the standby side")}`,
    description: (participants) => [
      `Every responding node of ${side(participants.from, "the standby side")} that accepts writes is set read-only (read_only=ON).`,
      "A write is tried on each of its nodes: it must be refused.",
      "Roles and channels stay as they are.",
    ],
    impact: (participants) =>
      `Clients that write on ${side(participants.from, "the standby side")} are refused from then on. Replication continues.`,
    choose: null,
    check: () => "Check what is fenced",
  },
  switchover: {
    noun: "Switchover",
    title: (participants) => `Switch ${participants.link} over${to(participants)}`,
    action: (participants) => `Switch over${to(participants)}`,
    description: switchSteps,
    impact: () => "Writes are paused until the new side is writable. No data is lost.",
    choose: () => "Choose fencing options",
    check: (participants) => `Check a switchover${to(participants)}`,
  },
  failover: {
    noun: "Failover",
    title: (participants) => `Fail ${participants.link} over${to(participants)}`,
    action: (participants) => `Fail over${to(participants)}`,
    description: (participants) => [
      `Reachable nodes of ${lostSide(participants)} are fenced. For each unreachable node you must attest that it is fenced.`,
      `${newSide(participants)} applies its relay log to the end.`,
      `The divergence point is recorded. ${lostSide(participants)} cannot be a replication source until it is reconciled.`,
      `Every node of ${newSide(participants)} becomes writable.`,
    ],
    impact: (participants) =>
      `Transactions that ${lostSide(participants)} committed but did not replicate are lost. The plan states how many.`,
    choose: (participants) => `Next: fence ${lostSide(participants)}`,
    check: (participants) => `Check a failover${to(participants)}`,
  },
  reprotect: {
    noun: "Reprotect",
    title: (participants) =>
      `Reprotect ${participants.link}${participants.from ? ` with ${participants.from}` : ""}`,
    action: (participants) => `Attach ${lostSide(participants)} as the standby`,
    description: (participants) => [
      `${lostSide(participants)} stays fenced. Hawser lists its orphaned transactions, which ${newSide(participants)} never received.`,
      "You choose: replay them, undo them, or discard them with a rebuild.",
      `Both channels are set up again, and ${lostSide(participants)} becomes the standby.`,
    ],
    impact: (participants) => `${newSide(participants)} stays writable throughout.`,
    choose: () => "Choose how to handle orphaned transactions",
    check: (participants) => `Check a reprotect with ${lostSide(participants)}`,
  },
  failback: {
    noun: "Failback",
    title: (participants) => `Fail ${participants.link} back${to(participants)}`,
    action: (participants) => `Fail back${to(participants)}`,
    description: switchSteps,
    impact: () => "Writes are paused until the home site is writable. No data is lost.",
    choose: null,
    check: (participants) => `Check a failback${to(participants)}`,
  },
  accept_state_uuid: {
    noun: "State UUID acceptance",
    title: (participants) => `Accept the new state UUID · ${participants.link}`,
    action: () => "Accept the new state UUID",
    description: () => [
      "Both channels are stopped. The last transaction that each side applied is found by its content in the other side's binary log.",
      `The channels resume there. ${COMPARED}`,
      "Only then is the new state UUID recorded. Position samples from before it no longer limit a search.",
    ],
    impact: () => NO_IMPACT,
    choose: null,
    check: () => "Check continuity of the stream",
  },
  configure: {
    noun: "Change of settings",
    title: (participants) => `Change settings · ${participants.link}`,
    action: () => "Change the settings",
    description: () => [
      "A node without a channel is changed first. Its values are read back, and it is watched for 5 s.",
      "The other nodes follow one by one, those of the channels last.",
      "If a step or a check fails, every value is set back to what was read before, last first.",
    ],
    impact: () =>
      "Writes continue, and no channel is changed. A value lasts until its node restarts.",
    choose: null,
    check: () => "Check the settings",
  },
  node_maintenance: {
    noun: "Node maintenance",
    title: (participants) => `Prepare a node maintenance · ${participants.link}`,
    action: () => "Prepare the node maintenance",
    description: () => [
      "Hawser reads what the node applied and what each donor still holds for it.",
      "Where the donor's provider can, its gcache is frozen, so that it keeps what the node will be missing.",
      "Then you stop the node and start it again. Hawser watches it, says whether it returned by IST or SST, and ends the freeze. An emergency stays possible meanwhile.",
    ],
    impact: () => NO_IMPACT,
    choose: () => "Choose the node",
    check: () => "Check node and donor",
  },
  rotate_passwords: {
    noun: "Password rotation",
    title: (participants) => `Rotate passwords · ${participants.link}`,
    action: () => "Rotate the passwords",
    description: () => [
      "Hawser makes a new password for each account and stores it encrypted. Both passwords are valid from then on.",
      "It logs in with the new one on every node, uses it itself, and gives it to the channels.",
      "Then the old one ends. If a step fails before the first channel, the old password alone is valid again.",
    ],
    impact: () => "Writes continue. Each channel is stopped and started again at once.",
    choose: () => "Choose the accounts",
    check: () => "Check accounts and nodes",
  },
};

/** The noun of a kind for lists; an unknown kind keeps its own name. */
export const operationLabel = (kind: string): string => {
  const known = kindOf(kind);
  return known ? OPERATIONS[known].noun : kind;
};

const PLAN_KIND = /\bplan kind `?([a-z_]+)`?/g;

/** A sentence of the server with the names that operations have on the pages; the API knows them by their kind. */
export const withOperationNames = (text: string): string =>
  text.replace(PLAN_KIND, (words, kind: string) => {
    const known = kindOf(kind);
    return known ? `operation “${OPERATIONS[known].noun}”` : words;
  });

/** The heading of an operation's pages. */
export const operationTitle = (kind: string, participants: Participants): string => {
  const known = kindOf(kind);
  return known ? OPERATIONS[known].title(participants) : `${kind} ${participants.link}`;
};

export interface StrategyText {
  title: string;
  /** What it does, and on which side. */
  description: string;
  /** The result. */
  after: string;
}

/** The texts of a strategy for these sides. */
export function orphanStrategyText(
  strategy: OrphanStrategy,
  participants: Participants,
): StrategyText {
  const [lost, survivor] = [lostSide(participants), newSide(participants)];
  switch (strategy) {
    case "fence":
      return {
        title: `Fence ${lost} only`,
        description: `Hawser sets read_only=ON on every node of ${lost}, so that the list of orphaned transactions cannot grow.`,
        after: `${lost} is not attached yet. Handle the orphaned transactions afterwards.`,
      };
    case "attach":
      return {
        title: `Attach ${lost} as it is`,
        description: "Hawser sets up the channels and changes nothing else.",
        after: "The plan is refused if there is an orphaned transaction.",
      };
    case "replay":
      return {
        title: `Replay the orphaned transactions on ${survivor}`,
        description: `Hawser applies each orphaned transaction on ${survivor}, and refuses if a row differs from the row it changed. Hawser then reverts the transaction on ${lost}, which receives it again through its channel.`,
        after: "Nothing is discarded. Both sides then have every transaction.",
      };
    case "undo":
      return {
        title: `Undo the orphaned transactions on ${lost}`,
        description: `Hawser reverts the row changes on ${lost}, newest first. Each row is checked before it is changed.`,
        after:
          "The orphaned transactions are discarded; the export keeps a copy. A schema change among them cannot be undone.",
      };
    case "rebuild":
      return {
        title: `Rebuild ${lost} from ${survivor}`,
        description: `You copy ${survivor} onto ${lost} with mariadb-backup; the checks show the commands. Hawser then proves the copy by its rows and attaches it at the backup position.`,
        after:
          "The orphaned transactions are discarded; the export keeps a copy. The copy takes most of the time.",
      };
  }
}
