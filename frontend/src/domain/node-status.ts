/** One node's state as text; an unknown state is never shown as good or bad. */
import { formatAge } from "@/lib/format/time";
import { STALE_AFTER_S } from "./freshness";
import type { Status } from "./status";

export interface NodeInput {
  reach: string;
  age_s: number | null;
  since: string | null;
  error?: string;
  read_only?: boolean | null;
  wsrep?: {
    state?: string | null;
    cluster_status?: string | null;
    recv_queue?: number | null;
  } | null;
  binlog?: { file: string } | null;
}

export interface NodeStatus extends Status {
  /** The line under the name. */
  line: string;
}

function sinceSeconds(since: string | null, nowMs: number): number | null {
  return since === null ? null : (nowMs - Date.parse(since)) / 1000;
}

function unreachable(word: string, node: NodeInput, nowMs: number): NodeStatus {
  const seconds = sinceSeconds(node.since, nowMs);
  const span = seconds === null ? "" : ` ${formatAge(seconds)}`;
  const tail = node.reach === "refused" ? " · login refused" : "";
  return { tone: "bad", word, line: `${word}${span}${tail}` };
}

function upLine(node: NodeInput): string {
  const bits = [node.wsrep?.state ?? "wsrep state unknown"];
  if (node.read_only) bits.push("read_only");
  if (node.binlog)
    bits.push(`binlog ${node.binlog.file.slice(node.binlog.file.lastIndexOf(".") + 1)}`);
  if (node.wsrep?.recv_queue) bits.push(`queue ${node.wsrep.recv_queue}`);
  return bits.join(" · ");
}

function whileUp(node: NodeInput): NodeStatus {
  const line = upLine(node);
  if (!node.wsrep?.state) return { tone: "unknown", word: "wsrep state unknown", line };
  if (node.wsrep.cluster_status && node.wsrep.cluster_status !== "Primary")
    return {
      tone: "bad",
      word: node.wsrep.cluster_status,
      line: `${node.wsrep.cluster_status} · ${line}`,
    };
  if (node.wsrep.state !== "Synced") return { tone: "warn", word: node.wsrep.state, line };
  return { tone: "ok", word: "Synced", line };
}

/** The status of a node in diagrams and lists. `ageS` is the age of its data now. */
export function nodeStatus(node: NodeInput, ageS: number | null, nowMs: number): NodeStatus {
  if (node.reach === "down" || node.reach === "refused")
    return unreachable("unreachable", node, nowMs);
  if (node.reach === "hung") return unreachable("not responding", node, nowMs);
  if (node.reach === "up" && ageS !== null && ageS <= STALE_AFTER_S) return whileUp(node);
  const line = ageS === null ? "no data yet" : `last update ${formatAge(ageS)} ago`;
  return { tone: "unknown", word: "unknown", line };
}
