/** The names of operations and strategies, without their texts: all that the addresses of pages need. */

export const OPERATION_KINDS = [
  "relocate",
  "start_channel",
  "create_channels",
  "remove_stray_channel",
  "remove_channels",
  "switchover",
  "failover",
  "reprotect",
  "failback",
  "accept_state_uuid",
  "configure",
  "node_maintenance",
  "rotate_passwords",
  "fence_standby",
] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** The kind of this name; null where this version of the console does not know it. */
export const kindOf = (text: string | null | undefined): OperationKind | null =>
  OPERATION_KINDS.find((kind) => kind === text) ?? null;

/** How the orphaned transactions of a returned side are handled. */
export const ORPHAN_STRATEGIES = ["fence", "attach", "replay", "undo", "rebuild"] as const;
export type OrphanStrategy = (typeof ORPHAN_STRATEGIES)[number];
