import type { LinkDetail, Orphans } from "@/api/types";
import type { OrphanStrategy } from "@/domain/operations";

/**
 * The writable nodes of the returned side: its orphaned transactions cannot be counted while it
 * accepts writes. None where the side is a copy of the survivor, which has no such transactions.
 */
export function writableNodes(link: LinkDetail): string[] {
  if (link.findings.some((finding) => finding.code === "side_rebuilt")) return [];
  return link.clusters.standby.nodes
    .filter((node) => node.reach === "up" && node.read_only !== true)
    .map((node) => node.name);
}

/** Why a strategy cannot be chosen; null when it can. */
export function strategyBlockedReason(
  strategy: OrphanStrategy,
  orphans: Orphans | undefined,
  isWritable: boolean,
): string | null {
  if (isWritable) return strategy === "fence" ? null : "fence and scan first";
  if (strategy === "attach" && orphans?.state === "found") return "orphaned transactions found";
  if (orphans?.state !== "none") return null;
  if (strategy === "replay" || strategy === "undo") return "no orphaned transactions";
  return strategy === "fence" ? "already fenced" : null;
}

/** The strategy to suggest. Where there are orphaned transactions, the choice is left to the operator. */
export function suggestStrategy(
  requested: OrphanStrategy | undefined,
  orphans: Orphans | undefined,
  isWritable: boolean,
): OrphanStrategy | null {
  if (isWritable) return "fence";
  if (requested && strategyBlockedReason(requested, orphans, isWritable) === null) return requested;
  return orphans?.state === "found" ? null : "attach";
}
