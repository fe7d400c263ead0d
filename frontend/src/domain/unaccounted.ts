/** Findings about transactions that are not on both sides. */
export const UNACCOUNTED_CODES: ReadonlySet<string> = new Set([
  "transactions_left_out",
  "transactions_not_from_source",
]);

/** The section of the link's page that lists those transactions: the hash of its address. */
export const UNACCOUNTED_SECTION = "unaccounted";
