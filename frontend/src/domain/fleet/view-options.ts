/** What a view of the list of links can be. The router reads this, so it holds nothing else. */

export const LAYOUTS = ["cards", "table", "map", "wall"] as const;

export const SORTS = [
  "attention",
  "name",
  "state",
  "site",
  "lag",
  "gap",
  "readiness",
  "advice",
  "rehearsal",
  "recovery_point",
  "recovery_time",
] as const;

export const GROUPS = ["attention", "state", "site", "pair", "none"] as const;

/** From the best to the worst. */
export const LINK_STATES = [
  "protected",
  "unproven",
  "degraded",
  "unknown",
  "failed_over",
  "unprotected",
  "broken",
] as const;

/** Which open advice a link has: of high risk, any, or unread nodes without which there may be more. */
export const ADVICE_FILTERS = ["high", "open", "unknown"] as const;

export type AdviceFilter = (typeof ADVICE_FILTERS)[number];
export type Layout = (typeof LAYOUTS)[number];
export type Sort = (typeof SORTS)[number];
export type Group = (typeof GROUPS)[number];
