/** One node's state in words, with the rule that an unknown never passes as good or as bad. */
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

function gone(word: string, node: NodeInput, nowMs: number): NodeStatus {
  const seconds = sinceSeconds(node.since, nowMs);
  const span = seconds === null ? "" : ` ${formatAge(seconds)}`;
  const tail = node.reach === "refused" ? " · refused" : "";
  return { tone: "bad", word, line: `${word}${span}${tail}` };
}

function upLine(node: NodeInput): string {
  const bits = [node.wsrep?.state ?? "not in a cluster"];
  if (node.read_only) bits.push("read_only");
  if (node.binlog)
    bits.push(`binlog ${node.binlog.file.slice(node.binlog.file.lastIndexOf(".") + 1)}`);
  if (node.wsrep?.recv_queue) bits.push(`queue ${node.wsrep.recv_queue}`);
  return bits.join(" · ");
}

function whileUp(node: NodeInput): NodeStatus {
  const line = upLine(node);
  if (!node.wsrep?.state) return { tone: "unknown", word: "cluster state unknown", line };
  if (node.wsrep.cluster_status && node.wsrep.cluster_status !== "Primary")
    return {
      tone: "bad",
      word: node.wsrep.cluster_status,
      line: `${node.wsrep.cluster_status} · ${line}`,
    };
  if (node.wsrep.state !== "Synced") return { tone: "warn", word: node.wsrep.state, line };
  return { tone: "ok", word: "Synced", line };
}

/** What the picture and the lists say about a node. `ageS` is the age of its facts now. */
export function nodeStatus(node: NodeInput, ageS: number | null, nowMs: number): NodeStatus {
  if (node.reach === "down" || node.reach === "refused") return gone("unreachable", node, nowMs);
  if (node.reach === "hung") return gone("does not answer", node, nowMs);
  if (node.reach === "up" && ageS !== null && ageS <= STALE_AFTER_S) return whileUp(node);
  const line = ageS === null ? "never seen" : `last seen ${formatAge(ageS)} ago`;
  return { tone: "unknown", word: "unknown", line };
}
