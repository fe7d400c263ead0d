/** The states of a table in a comparison, in the order in which they need to be looked at. */
import type { ComparedTableState } from "@/api/types";

export const COMPARED_TABLE_STATES = [
  "different",
  "not_compared",
  "comparing",
  "waiting",
  "equal",
] as const satisfies readonly ComparedTableState[];
