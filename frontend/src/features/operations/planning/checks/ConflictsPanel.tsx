import { useState } from "react";
import type { Plan } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import type { StepLink } from "@/components/workflow/step-link";
import {
  toPlanRequest,
  useCreatePlan,
} from "@/features/operations/planning/shared/use-create-plan";
import { pluralize } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import { ConflictDecision } from "./ConflictDecision";
import css from "./ConflictsPanel.module.css";
import { ConflictVersions } from "./ConflictVersions";
import {
  type Conflict,
  conflictsOf,
  type Decided,
  type Decision,
  decided,
  decisionOn,
  tablesOf,
} from "./conflicts";

/** The conflicts of one table: a decision for all its rows, and one for each row. */
function TableConflicts(props: {
  table: string;
  rows: readonly Conflict[];
  decisions: readonly Decided[];
  onDecide: (row: string, decision: Decision | "") => void;
}) {
  const { table, rows, decisions, onDecide } = props;
  return (
    <section className={css.table} aria-label={table}>
      <ConflictDecision
        label={`All rows of ${table}`}
        undecided="Decide row by row"
        value={decisionOn(decisions, table, "")}
        onChange={(decision) => onDecide("", decision)}
      />
      {rows.map((conflict) => (
        <div key={`${conflict.index} ${conflict.row}`} className={css.row}>
          <p>
            Transaction {conflict.index + 1}: {conflict.reason}.
          </p>
          <ConflictVersions conflict={conflict} />
          {conflict.row && (
            <ConflictDecision
              label={`Row of transaction ${conflict.index + 1}`}
              undecided="Same as its table"
              value={decisionOn(decisions, table, conflict.row)}
              onChange={(decision) => onDecide(conflict.row, decision)}
            />
          )}
        </div>
      ))}
    </section>
  );
}

/** The rows that both sides changed. What a replay does with each of them goes into a new plan. */
export function ConflictsPanel({
  plan,
  nextPage,
}: {
  plan: Plan;
  nextPage: (plan: Plan) => StepLink;
}) {
  const before = plan.options.conflict_decisions ?? [];
  const [decisions, setDecisions] = useState<Decided[]>(before);
  const planning = useCreatePlan(plan.link_id, nextPage);
  const conflicts = conflictsOf(plan);
  const tables = tablesOf(conflicts);
  const dependent = conflicts.filter((conflict) => conflict.dependsOn !== null).length;
  if (tables.length === 0 && before.length === 0) return null;
  const replan = (conflict_decisions: Decided[]) =>
    planning.create({
      ...toPlanRequest(plan),
      options: { ...plan.options, conflict_decisions },
    });
  return (
    <Panel
      tone="unknown"
      title="Conflicting rows"
      aside={before.length > 0 ? `${pluralize(before.length, "decision")} so far` : null}
    >
      {tables.map(({ table, rows }) => (
        <TableConflicts
          key={table}
          table={table}
          rows={rows}
          decisions={decisions}
          onDecide={(row, decision) => setDecisions(decided(decisions, table, row, decision))}
        />
      ))}
      {dependent > 0 && (
        <p className="dim">
          {pluralize(dependent, "more transaction")} on the same rows: these decisions apply to
          them, too.
        </p>
      )}
      {planning.isError && (
        <ProblemAlert error={planning.error} action="create a plan with these decisions" />
      )}
      <div className="row">
        <DisabledReasonButton
          disabledReason={
            planning.refusal ??
            (JSON.stringify(decisions) === JSON.stringify(before)
              ? "No decision was changed."
              : null)
          }
          loading={planning.isPending}
          onClick={() => replan(decisions)}
        >
          Plan again with {pluralize(decisions.length, "decision")}
        </DisabledReasonButton>
        {before.length > 0 && (
          <DisabledReasonButton
            variant="default"
            disabledReason={planning.isPending ? "A plan is being created." : planning.refusal}
            onClick={() => replan([])}
          >
            Discard all decisions
          </DisabledReasonButton>
        )}
      </div>
    </Panel>
  );
}
