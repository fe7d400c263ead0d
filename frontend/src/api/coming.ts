/**
 * Shapes the server's schema does not describe yet, written by hand to the design; each goes away
 * when `schema.ts` knows it. Nothing outside this folder reads this file.
 */
import type { Kind, OrphanWay } from "@/lib/kinds";
import type { components } from "./schema";

type Schemas = components["schemas"];

export interface Named {
  id: string;
  name: string;
}

export interface Divergence {
  lost_cluster: Named;
  survivor_cluster: Named;
  at: string;
  run_id: string;
  applied: {
    node: string | null;
    file: string | null;
    position: number | null;
    seqno: number | null;
    gtid: string | null;
  };
  last_seen: { seqno: number | null; at: string | null } | null;
  loss: Schemas["Loss"];
}

export interface LinkMore {
  home_cluster?: Named | null;
  invalidated_cluster?: string | null;
  divergence?: Divergence | null;
  primary_action: (Omit<Schemas["PrimaryAction"], "kind"> & { kind: Kind | null }) | null;
}

export interface PlanOptionsMore {
  reject_queries?: boolean;
  attest_accounts?: boolean;
  allow_long_transactions?: boolean;
  accept_loss?: boolean;
  override_partition?: boolean;
  orphans?: OrphanWay;
  skip_conflicts?: boolean;
  backup_position?: string;
}

export interface OrphanRow {
  schema: string;
  table: string;
  operation: "insert" | "update" | "delete";
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export interface Orphan {
  index: number;
  seqno: number | null;
  gtid: string | null;
  at: string;
  kind: "rows" | "ddl";
  statement: string | null;
  rows: OrphanRow[];
}

export interface OrphanTable {
  schema: string;
  table: string;
  inserts: number;
  updates: number;
  deletes: number;
}

export interface Orphans {
  state: "not_needed" | "none" | "found" | "unknown";
  detail: string;
  scanned_at: string | null;
  cluster: Named | null;
  node: string | null;
  from: { file: string; position: number } | null;
  to: { file: string; position: number } | null;
  transactions: number | null;
  rows: number | null;
  tables: OrphanTable[];
  first_at: string | null;
  last_at: string | null;
  results: Orphan[];
  next: string | null;
}

export interface Automation {
  mode: "off" | "propose" | "execute";
  loss_for_s: number;
  block_s: number;
  blocked_until: string | null;
  last: { at: string; plan_id: string | null; run_id: string | null; outcome: string } | null;
}
