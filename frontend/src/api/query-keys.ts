/** The keys of the query cache, all in one place: a mutation names what it makes old by these. */
import type { AuditFilter, Direction, RunFilter } from "./types";

export const queryKeys = {
  session: ["session"],
  health: ["health"],
  links: ["links"],
  retiredLinks: ["links", "retired"],
  link: (linkId: string) => ["links", linkId],
  lag: (linkId: string, minutes?: number) =>
    minutes === undefined ? ["lag", linkId] : ["lag", linkId, minutes],
  histories: ["history"],
  history: (linkId: string) => ["history", linkId],
  channelError: (linkId: string, direction: Direction) => ["channel-error", linkId, direction],
  plan: (planId: string) => ["plans", planId],
  runs: ["runs"],
  runList: (filter: RunFilter) => ["runs", "list", filter],
  run: (runId: string) => ["runs", runId],
  orphans: (linkId: string) => ["orphans", linkId],
  orphanPages: (linkId: string) => ["orphans", linkId, "pages"],
  rehearsals: (linkId: string) => ["rehearsals", linkId],
  rehearsalSchedule: (linkId: string) => ["rehearsal-schedule", linkId],
  webhooks: (linkId: string) => ["webhooks", linkId],
  deliveries: (webhookId: string) => ["deliveries", webhookId],
  automation: (linkId: string) => ["automation", linkId],
  automaticStart: (linkId: string) => ["automatic-start", linkId],
  clusters: ["clusters"],
  cluster: (clusterId: string) => ["clusters", clusterId],
  membership: (clusterId: string) => ["clusters", clusterId, "membership"],
  xidPosition: (nodeId: string, xid: number) => ["xid-position", nodeId, xid],
  audit: ["audit"],
  auditList: (filter: AuditFilter) => ["audit", "list", filter],
  auditVerification: ["audit", "verification"],
  tokens: ["tokens"],
  userTokens: (username: string) => ["tokens", username],
  sessions: ["sessions"],
  userSessions: (username: string) => ["sessions", username],
  users: ["users"],
  roles: ["roles"],
  pendingApprovals: ["pending-approvals"],
  lab: ["lab"],
  labVerification: ["lab", "verification"],
} as const;

/** What a change of a registration makes old. */
export const REGISTRATION_KEYS = [
  queryKeys.links,
  queryKeys.clusters,
  queryKeys.histories,
  queryKeys.pendingApprovals,
] as const;
