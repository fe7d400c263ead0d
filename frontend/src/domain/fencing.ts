/** Whether a side is fenced, derived from its nodes; a node that could not be read is neither fenced nor writable. */
import type { Tone } from "@/ui/StatusIcon";

export type NodeFence = "fenced" | "open" | "unknown";

export const nodeFence = (readOnly: boolean | null | undefined): NodeFence =>
  readOnly === null || readOnly === undefined ? "unknown" : readOnly ? "fenced" : "open";

export interface SideFence {
  tone: Tone;
  words: string;
}

/** "fenced", "writable", "fenced 2 of 3, 1 unknown". A side is fenced only if every node is. */
export function sideFence(nodes: readonly { read_only: boolean | null }[]): SideFence {
  const count = (state: NodeFence) =>
    nodes.filter((node) => nodeFence(node.read_only) === state).length;
  const [fenced, open, unknown] = [count("fenced"), count("open"), count("unknown")];
  if (unknown === nodes.length) return { tone: "unknown", words: "fence unknown" };
  if (fenced === nodes.length) return { tone: "neutral", words: "fenced" };
  if (open === nodes.length) return { tone: "ok", words: "writable" };
  const rest = unknown > 0 ? `, ${unknown} unknown` : "";
  if (fenced === 0) return { tone: "ok", words: `writable ${open} of ${nodes.length}${rest}` };
  return { tone: "warn", words: `fenced ${fenced} of ${nodes.length}${rest}` };
}
