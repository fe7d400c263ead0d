import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import type { Plan } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import type { StepLink } from "@/components/workflow/step-link";
import { toPlanRequest, useCreatePlan } from "@/features/operations/shared/use-create-plan";
import { pluralize } from "@/lib/format/number";
import { formatValue } from "@/lib/format/value";
import { Panel } from "@/ui/Panel";
import css from "./ConflictsPanel.module.css";
import {
  type Conflict,
  conflictsOf,
  type Decided,
  type Decision,
  decided,
  decisionOn,
  tablesOf,
} from "./conflicts";

/** The active side's node among the versions of a row. */
const activeNode = (conflict: Conflict): string =>
  Object.keys(conflict.values).find((who) => who !== "orphan" && who !== "before") ?? "active side";

/** The row as each has it; where the active side differs from the orphan, a mark says so. */
function Versions({ conflict }: { conflict: Conflict }) {
  const node = activeNode(conflict);
  const { before, orphan } = conflict.values;
  const active = conflict.values[node];
  const columns = Object.keys(active ?? orphan ?? before ?? {});
  if (columns.length === 0)
    return (
      <p className="dim">
        Its values are not shown: to operators alone, of the first 200, and only where a key names
        the row.
      </p>
    );
  const cell = (row: Record<string, unknown> | null | undefined, column: string) =>
    row ? <code>{formatValue(row[column])}</code> : <span className="faint">no row</span>;
  return (
    <div className="scroll">
      <table className={`grid ${css.versions}`} aria-label={`Row of ${conflict.table} in conflict`}>
        <thead>
          <tr>
            <th>Column</th>
            <th>Before</th>
            <th>Orphan</th>
            <th>{node}</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => {
            const differs = formatValue(active?.[column]) !== formatValue(orphan?.[column]);
            return (
              <tr key={column}>
                <td className="mono">
                  {differs && <span title="differs">≠ </span>}
                  {column}
                </td>
                <td>{cell(before, column)}</td>
                <td className={differs ? css.differs : undefined}>{cell(orphan, column)}</td>
                <td className={differs ? css.differs : undefined}>{cell(active, column)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Choice(props: {
  label: string;
  undecided: string;
  value: Decision | "";
  onChange: (decision: Decision | "") => void;
}) {
  return (
    <NativeSelect
      maw={420}
      label={props.label}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value as Decision | "")}
      data={[
        { value: "", label: props.undecided },
        { value: "keep_active", label: "Keep the active side's row" },
        { value: "take_orphan", label: "Take the orphan's row" },
        { value: "leave_out", label: "Leave the transaction out" },
      ]}
    />
  );
}

/** Rows that both sides changed: what becomes of each goes into a new plan, and into its digest. */
export function ConflictsPanel({
  plan,
  nextPage,
}: {
  plan: Plan;
  nextPage: (plan: Plan) => StepLink;
}) {
  const before = plan.options.conflict_decisions ?? [];
  const [all, setAll] = useState<Decided[]>(before);
  const planning = useCreatePlan(plan.link_id, nextPage);
  const conflicts = conflictsOf(plan);
  const tables = tablesOf(conflicts);
  const following = conflicts.filter((one) => one.dependsOn !== null).length;
  if (tables.length === 0 && before.length === 0) return null;
  const ask = (decisions: Decided[]) =>
    planning.create({
      ...toPlanRequest(plan),
      options: { ...plan.options, conflict_decisions: decisions },
    });
  const choose = (table: string, row: string) => (decision: Decision | "") =>
    setAll(decided(all, table, row, decision));
  return (
    <Panel
      tone="unknown"
      title="Rows that both sides changed"
      aside={before.length > 0 ? `${pluralize(before.length, "decision")} so far` : null}
    >
      {tables.map(({ table, rows }) => (
        <section key={table} className={css.table} aria-label={table}>
          <Choice
            label={`All rows of ${table}`}
            undecided="Decide row by row"
            value={decisionOn(all, table, "")}
            onChange={choose(table, "")}
          />
          {rows.map((conflict) => (
            <div key={`${conflict.index} ${conflict.row}`} className={css.row}>
              <p>
                Transaction {conflict.index + 1}: {conflict.reason}.
              </p>
              <Versions conflict={conflict} />
              {conflict.row && (
                <Choice
                  label={`This row of transaction ${conflict.index + 1}`}
                  undecided="As its table"
                  value={decisionOn(all, table, conflict.row)}
                  onChange={choose(table, conflict.row)}
                />
              )}
            </div>
          ))}
        </section>
      ))}
      {following > 0 && (
        <p className="dim">
          On the same rows, and following what is decided:{" "}
          {pluralize(following, "more transaction")}.
        </p>
      )}
      {planning.isError && (
        <ProblemAlert error={planning.error} action="Planning with these decisions" />
      )}
      <div className="row">
        <Button
          disabled={JSON.stringify(all) === JSON.stringify(before)}
          loading={planning.isPending}
          onClick={() => ask(all)}
        >
          Plan again with {pluralize(all.length, "decision")}
        </Button>
        {before.length > 0 && (
          <Button variant="default" disabled={planning.isPending} onClick={() => ask([])}>
            Forget all decisions
          </Button>
        )}
      </div>
    </Panel>
  );
}
