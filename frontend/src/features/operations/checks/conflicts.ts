/** Rows that orphans and the active side changed each in its own way, as a plan's finding tells them. */
import type { Plan, PlanOptions } from "@/api/types";

export type Decided = NonNullable<PlanOptions["conflict_decisions"]>[number];
export type Decision = Decided["decision"];

export interface Conflict {
  index: number;
  table: string;
  reason: string;
  dependsOn: number | null;
  /** Empty where no key names it: then only the whole table is decided about. */
  row: string;
  decision: Decision | null;
  /** Versions of the row by who has it: a node's name, "orphan", "before"; null where there is none. */
  values: Record<string, Record<string, unknown> | null>;
}

interface Told {
  index: number;
  table: string;
  reason: string;
  depends_on: number | null;
  row?: string;
  decision?: Decision | null;
  values?: Conflict["values"];
}

/** The conflicts of a replay, in their order; none for any other plan. */
export function conflictsOf(plan: Plan): Conflict[] {
  const finding = plan.findings.find((one) => one.code === "orphans_conflict");
  const told = (finding?.facts.conflicts ?? []) as Told[];
  return told.map((one) => ({
    index: one.index,
    table: one.table,
    reason: one.reason,
    dependsOn: one.depends_on,
    row: one.row ?? "",
    decision: one.decision ?? null,
    values: one.values ?? {},
  }));
}

/** Tables with a conflict of their own, each with the rows that can be decided about. */
export function tablesOf(conflicts: readonly Conflict[]): { table: string; rows: Conflict[] }[] {
  const own = conflicts.filter((one) => one.dependsOn === null);
  return [...new Set(own.map((one) => one.table))].map((table) => ({
    table,
    rows: own.filter((one) => one.table === table),
  }));
}

const isSame = (one: Decided, table: string, row: string) =>
  one.table === table && (one.row ?? "") === row;

/** What was decided about a row, or about a whole table where the row is empty. */
export const decisionOn = (all: readonly Decided[], table: string, row: string): Decision | "" =>
  all.find((one) => isSame(one, table, row))?.decision ?? "";

/** The decisions with one more, or with one taken back. */
export function decided(
  all: readonly Decided[],
  table: string,
  row: string,
  decision: Decision | "",
): Decided[] {
  const others = all.filter((one) => !isSame(one, table, row));
  return decision === "" ? others : [...others, { table, row: row === "" ? null : row, decision }];
}
