/** Links as rows of a list of many. */
import type { AttentionCode, LinkDetail, LinkRow } from "@/api/types";
import { ago } from "./clusters";
import { calm } from "./links";

const CALM = 10;

type Reason = [code: AttentionCode, urgency: number];

/** Why a link needs a person, as the server decides it, in short. */
function reasonOf(link: LinkDetail): Reason | null {
  if (link.divergence) return ["diverged", 0];
  if (link.active_run?.state === "needs_operator") return ["run_needs_operator", 1];
  if (link.state === "unknown") return ["not_observed", 4];
  if (["broken", "unprotected"].includes(link.state)) return ["link_down", 2];
  if (link.active_run?.state === "waiting_approval") return ["approval_waiting", 3];
  if (link.readiness.failover?.state === "blocked") return ["failover_blocked", 5];
  return link.state === "degraded" ? ["degraded", 7] : null;
}

function sideOf({ id, name, site, status, nodes_up, nodes }: LinkDetail["active_cluster"]) {
  return { id, name, site, status, nodes_up, nodes };
}

function channelOf(link: LinkDetail, direction: "forward" | "reverse"): LinkRow["forward"] {
  const found = link.channels.find((entry) => entry.direction === direction && !entry.stray);
  if (!found) return null;
  const { source_name, replica_name, state, lag_s, error } = found;
  const { gap_transactions, gap_at_least } = found;
  return { source_name, replica_name, state, lag_s, gap_transactions, gap_at_least, error };
}

const NO_ADVICE = { high: 0, medium: 0, low: 0, unread_nodes: 0 };

/** The link that has a page of advice has its numbers; of others by the number in the name. */
function adviceOf({ name }: LinkDetail): LinkRow["advice"] {
  const number = Number(/\d+$/.exec(name)?.[0] ?? 0);
  if (name === "payments") return { high: 1, medium: 1, low: 1, unread_nodes: 3 };
  if (number % 11 === 4) return null;
  if (number % 5 === 3) return { ...NO_ADVICE, high: 1, medium: 1 };
  return number % 3 === 1 ? { ...NO_ADVICE, low: 2, unread_nodes: 1 } : NO_ADVICE;
}

/** A link as its row. */
export function rowOf(link: LinkDetail): LinkRow {
  const reason = reasonOf(link);
  const { failover } = link.readiness;
  const loss = failover?.loss_transactions ?? null;
  const forward = channelOf(link, "forward");
  return {
    id: link.id,
    name: link.name,
    state: link.state,
    sentence: link.sentence,
    stale_since: null,
    active_cluster: sideOf(link.active_cluster),
    standby_cluster: sideOf(link.standby_cluster),
    forward,
    reverse: channelOf(link, "reverse"),
    readiness: Object.fromEntries(
      Object.entries(link.readiness).map(([kind, { state, rehearsed_at, rehearsed_ok }]) => [
        kind,
        {
          state,
          passed_at: rehearsed_ok ? rehearsed_at : null,
          failed_at: rehearsed_ok === false ? rehearsed_at : null,
        },
      ]),
    ),
    recovery_time: failover?.rehearsed_at
      ? { seconds: 2.1, source: "rehearsal", at: failover.rehearsed_at, source_id: "h_failover" }
      : null,
    recovery_point:
      loss === null
        ? null
        : {
            transactions: loss,
            seconds: forward?.lag_s ?? null,
            source: "observed",
            at: ago(0.6),
            source_id: null,
          },
    advice: adviceOf(link),
    attention: reason ? [{ code: reason[0], sentence: link.sentence }] : [],
    urgency: reason ? reason[1] : CALM,
    primary_action: link.primary_action,
    active_run: link.active_run,
    pause: link.pause,
    environment: link.environment,
    permissions: link.permissions,
    version: link.version,
  };
}

/** The row of a healthy link of this name, between these sites. */
export function row(
  name: string,
  over: Partial<LinkRow> = {},
  [active, standby] = ["Milan", "Frankfurt"],
): LinkRow {
  const link = rowOf({ ...calm(), id: `l_${name}`, name });
  return {
    ...link,
    active_cluster: { ...link.active_cluster, site: active },
    standby_cluster: { ...link.standby_cluster, site: standby },
    ...over,
  };
}
