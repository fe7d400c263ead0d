/** What a comparison reads and how much it may take of the nodes, in a form and in the call of the API. */
import type { ComparisonRequest } from "@/api/types";
import { formatNumber } from "@/lib/format/number";
import { formatAge } from "@/lib/format/time";

export interface BudgetValues extends Record<string, unknown> {
  every_node: boolean;
  /** One name a line. */
  only: string;
  rows_per_s: number | "";
  busy_percent: number | "";
}

export const DEFAULT_BUDGET: BudgetValues = {
  every_node: true,
  only: "",
  rows_per_s: 20_000,
  busy_percent: 20,
};

/** What is missing from each field. */
export const BUDGET_CHECKS = {
  rows_per_s: (rows: number | "") => (rows === "" ? "Enter the rows per second" : null),
  busy_percent: (percent: number | "") => (percent === "" ? "Enter the share of time" : null),
};

/** The form as these settings fill it. */
export const valuesOf = (settings: Required<ComparisonRequest>): BudgetValues => ({
  every_node: settings.every_node,
  only: settings.only.join("\n"),
  rows_per_s: settings.rows_per_s,
  busy_percent: settings.busy_percent,
});

export const requestOf = (values: BudgetValues): Required<ComparisonRequest> => ({
  every_node: values.every_node,
  only: values.only
    .split("\n")
    .map((name) => name.trim())
    .filter(Boolean),
  rows_per_s: Number(values.rows_per_s),
  busy_percent: Number(values.busy_percent),
});

const MILLION = 1_000_000;

/** The load to expect of these settings. */
export function loadText({ every_node, rows_per_s, busy_percent }: BudgetValues): string {
  const nodes = every_node ? "Every node of both sides" : "One node of each side";
  const rows = Number(rows_per_s);
  const pace = rows > 0 ? `, at most ${formatNumber(rows)} a second` : "";
  const least = rows > 0 ? ` A million rows take at least ${formatAge(MILLION / rows)}.` : "";
  return `${nodes} reads each row once${pace}, in one session that works at most ${busy_percent || 0} % of the time.${least} Rows that are not in memory are read from disk.`;
}
