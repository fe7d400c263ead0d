import type { LinkDetail } from "@/api/types";
import type { OrphanStrategy } from "@/domain/operations";

/** What the address selects. */
export interface RequestedNodes {
  source_node?: string | undefined;
  replica_node?: string | undefined;
  orphans?: OrphanStrategy | undefined;
}

export interface TargetProps {
  link: LinkDetail;
  ageS: number | null;
  stale: boolean;
  requested: RequestedNodes;
}
