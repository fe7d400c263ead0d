/** The three accounts that Hawser uses on a cluster. */
export const ACCOUNTS = [
  { key: "monitor", label: "Monitor", use: "reads states and binary logs" },
  { key: "operator", label: "Operator", use: "changes channels, only within a run" },
  { key: "replication", label: "Replication", use: "used by the channels to connect" },
] as const;

export type Account = (typeof ACCOUNTS)[number];
