/** What of a link a person settles: its sections on the link's page, by the hash of their address. */
export const UNACCOUNTED_SECTION = "unaccounted";
export const UNSAFE_SECTION = "unsafe-settings";

export interface SettledSection {
  hash: string;
  label: string;
}

const TRANSACTIONS: SettledSection = { hash: UNACCOUNTED_SECTION, label: "View transactions" };

/** By the code of the finding that is about it. */
export const SETTLED_IN: Readonly<Record<string, SettledSection>> = {
  transactions_left_out: TRANSACTIONS,
  transactions_not_from_source: TRANSACTIONS,
  rows_may_differ: { hash: UNSAFE_SECTION, label: "View settings" },
};
