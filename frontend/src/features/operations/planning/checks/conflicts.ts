/** Rows that an orphaned transaction and the active side both changed, as a finding of the plan lists them. */
import type { Plan, PlanOptions } from "@/api/types";

export type Decided = NonNullable<PlanOptions["conflict_decisions"]>[number];
export type Decision = Decided["decision"];

export interface Conflict {
  index: number;
  table: string;
  reason: string;
  dependsOn: number | null;
  /** Empty where no key identifies the row: then a decision applies to the whole table. */
  row: string;
  decision: Decision | null;
  /** The versions of the row, by a node's name, "orphan" or "before"; null where the row does not exist. */
  values: Record<string, Record<string, unknown> | null>;
}

interface ConflictFact {
  index: number;
  table: string;
  reason: string;
  depends_on: number | null;
  row?: string;
  decision?: Decision | null;
  values?: Conflict["values"];
}

/** The conflicts of a replay, in their order; none for other plans. */
export function conflictsOf(plan: Plan): Conflict[] {
  const finding = plan.findings.find((entry) => entry.code === "orphans_conflict");
  const facts = (finding?.facts.conflicts ?? []) as ConflictFact[];
  return facts.map((fact) => ({
    index: fact.index,
    table: fact.table,
    reason: fact.reason,
    dependsOn: fact.depends_on,
    row: fact.row ?? "",
    decision: fact.decision ?? null,
    values: fact.values ?? {},
  }));
}

/** The tables with conflicts, each with the conflicts that need a decision of their own. */
export function tablesOf(conflicts: readonly Conflict[]): { table: string; rows: Conflict[] }[] {
  const own = conflicts.filter((one) => one.dependsOn === null);
  return [...new Set(own.map((one) => one.table))].map((table) => ({
    table,
    rows: own.filter((one) => one.table === table),
  }));
}

const isSame = (one: Decided, table: string, row: string) =>
  one.table === table && (one.row ?? "") === row;

/** The decision on a row, or on the whole table where the row is empty. */
export const decisionOn = (all: readonly Decided[], table: string, row: string): Decision | "" =>
  all.find((one) => isSame(one, table, row))?.decision ?? "";

/** The decisions with this one added, replaced or removed. */
export function decided(
  all: readonly Decided[],
  table: string,
  row: string,
  decision: Decision | "",
): Decided[] {
  const others = all.filter((one) => !isSame(one, table, row));
  return decision === "" ? others : [...others, { table, row: row === "" ? null : row, decision }];
}
