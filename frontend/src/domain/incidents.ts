/** The states of an incident and of its links, the links to start, and the site that a link has lost. */
import type { Incident, IncidentItem, IncidentItemState, IncidentState, Link } from "@/api/types";
import type { Status } from "./status";

const INCIDENT: Record<IncidentState, Status> = {
  planned: { tone: "info", word: "Not confirmed" },
  running: { tone: "info", word: "Running" },
  stopped: { tone: "bad", word: "Stopped" },
  ended: { tone: "ok", word: "Ended" },
  aborted: { tone: "neutral", word: "Aborted" },
};

const ITEM: Record<IncidentItemState, Status> = {
  left_out: { tone: "neutral", word: "Left out" },
  no_operation: { tone: "neutral", word: "No operation" },
  planning: { tone: "info", word: "Planning" },
  not_planned: { tone: "bad", word: "Not planned" },
  refused: { tone: "bad", word: "Refused" },
  ready: { tone: "ok", word: "Ready" },
  needs_plan: { tone: "warn", word: "Needs a new plan" },
  waiting: { tone: "info", word: "Not started yet" },
  waiting_approval: { tone: "warn", word: "Waiting for approval" },
  running: { tone: "info", word: "Running" },
  succeeded: { tone: "ok", word: "Succeeded" },
  failed: { tone: "bad", word: "Failed" },
  aborted: { tone: "neutral", word: "Aborted" },
  needs_operator: { tone: "bad", word: "Needs an operator" },
  unknown: { tone: "unknown", word: "Unknown" },
};

/** An incident that ended with a failure is not shown as a success. */
export function incidentStatus({ state, progress }: Pick<Incident, "state" | "progress">): Status {
  return state === "ended" && progress.succeeded < progress.total
    ? { tone: "warn", word: "Ended" }
    : INCIDENT[state];
}

export const itemStatus = (state: IncidentItemState): Status => ITEM[state];

/** The links that a confirmation starts, in their order. */
export const itemsToStart = (incident: Incident): IncidentItem[] =>
  incident.items.filter((item) => item.state === "ready");

/** The ids of all included links with one of them moved; null where it cannot move further. */
export function movedOrder(incident: Incident, linkId: string, by: -1 | 1): string[] | null {
  const order = includedLinks(incident);
  const from = order.indexOf(linkId);
  const to = from + by;
  if (from < 0 || to < 0 || to >= order.length) return null;
  return order.with(from, order[to] ?? linkId).with(to, linkId);
}

/** The ids of the links that are not left out, in their order. */
export const includedLinks = ({ items }: Incident): string[] =>
  items.filter((item) => item.state !== "left_out").map((item) => item.link_id);

type Sides = Pick<Link, "active_cluster" | "standby_cluster">;

/** The site of a side whose nodes are all down; null where both sides have one that is up. */
export const lostSite = ({ active_cluster, standby_cluster }: Sides): string | null =>
  [active_cluster, standby_cluster].find((side) => side.status === "down")?.site ?? null;

/** How many links have a cluster at the site. */
export const linksAtSite = (links: readonly Sides[], site: string): number =>
  links.filter((link) =>
    [link.active_cluster, link.standby_cluster].some((side) => side.site === site),
  ).length;
