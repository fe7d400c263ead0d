const RECORDS = "Changes what Hawser records, nothing on the servers.";

/** Steps that change something without a statement that could be shown beforehand, and what they change. */
export const QUIET_CHANGES: Record<string, string> = {
  swap_roles: RECORDS,
  record_divergence: RECORDS,
  reconcile: RECORDS,
  record_state_uuid: RECORDS,
  attach: RECORDS,
  hook: "Calls the hook.",
  replay: "Writes the orphans' rows, one transaction after the other, each row compared first.",
  undo_orphans:
    "Takes the orphans' rows back, one transaction after the other, each row compared first.",
};
