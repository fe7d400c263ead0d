/** The kinds of operations and strategies, without their texts: all that addresses and workflow need. */

import type { PlanKind, RehearsedKind } from "@/api/types";

/** The pages of the guided workflow. */
export type WorkflowStep =
  | "situation"
  | "target"
  | "checks"
  | "proof"
  | "plan"
  | "confirm"
  | "run"
  | "result";

interface KindFacts<Kind extends PlanKind> {
  isRehearsed: Kind extends RehearsedKind ? true : false;
  /** The pages it does not have: most have no target to choose, and some no position to prove. */
  skips: readonly WorkflowStep[];
  /** Whether it sets up or starts channels, so that there is a resume position and something to probe. */
  isMove: boolean;
}

/** In the order in which pages list them. A kind that the server knows and this table lacks does not compile. */
export const KINDS = {
  relocate: { isRehearsed: true, skips: [], isMove: true },
  start_channel: { isRehearsed: false, skips: ["target"], isMove: true },
  create_channels: { isRehearsed: false, skips: [], isMove: true },
  remove_stray_channel: { isRehearsed: false, skips: ["target", "proof"], isMove: false },
  remove_channels: { isRehearsed: false, skips: ["target", "proof"], isMove: false },
  switchover: { isRehearsed: true, skips: [], isMove: true },
  failover: { isRehearsed: true, skips: [], isMove: true },
  reprotect: { isRehearsed: true, skips: [], isMove: true },
  failback: { isRehearsed: true, skips: ["target"], isMove: true },
  accept_state_uuid: { isRehearsed: false, skips: ["target"], isMove: true },
  configure: { isRehearsed: false, skips: ["situation", "target", "proof"], isMove: false },
  node_maintenance: { isRehearsed: false, skips: ["proof"], isMove: true },
  rotate_passwords: { isRehearsed: false, skips: ["situation", "proof"], isMove: false },
  fence_standby: { isRehearsed: false, skips: ["target", "proof"], isMove: false },
} as const satisfies { [Kind in PlanKind]: KindFacts<Kind> };

export type OperationKind = PlanKind;
export const OPERATION_KINDS = Object.keys(KINDS) as OperationKind[];

/** The kinds that let their user choose a target. */
export type TargetedKind = {
  [Kind in PlanKind]: "target" extends (typeof KINDS)[Kind]["skips"][number] ? never : Kind;
}[PlanKind];

/** The kind of this name; null where this version of the console does not know it. */
export const kindOf = (text: string | null | undefined): OperationKind | null =>
  OPERATION_KINDS.find((kind) => kind === text) ?? null;

/** Whether it is an operation of an emergency or one needed regularly: others are named only where they are needed. */
export const isRehearsed = (text: string): text is RehearsedKind => {
  const kind = kindOf(text);
  return kind !== null && KINDS[kind].isRehearsed;
};

/** How the orphaned transactions of a returned side are handled. */
export const ORPHAN_STRATEGIES = ["fence", "attach", "replay", "undo", "rebuild"] as const;
export type OrphanStrategy = (typeof ORPHAN_STRATEGIES)[number];
