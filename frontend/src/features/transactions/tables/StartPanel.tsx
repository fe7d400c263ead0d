import { Button } from "@mantine/core";
import { useStartComparison } from "@/api/resources/table-comparisons";
import { ProblemAlert } from "@/components/ProblemAlert";
import { RequirePermission } from "@/components/RequirePermission";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { Panel } from "@/ui/Panel";
import { BudgetFields } from "./BudgetFields";
import { BUDGET_CHECKS, DEFAULT_BUDGET, requestOf } from "./budget";

function StartForm({ linkId }: { linkId: string }) {
  const start = useStartComparison(linkId);
  const { form, submit, problem } = useServerForm({
    initialValues: DEFAULT_BUDGET,
    validate: BUDGET_CHECKS,
  });
  const onSubmit = submit(async (values) => {
    await start.mutateAsync(requestOf(values));
    showSuccess("Table comparison begun.");
  });
  return (
    <form className="stack" onSubmit={onSubmit}>
      <BudgetFields inputProps={form.getInputProps} values={form.values} />
      {problem !== null && <ProblemAlert error={problem} action="compare the tables" />}
      <div className="row end">
        <Button type="submit" loading={start.isPending}>
          Compare tables
        </Button>
      </div>
    </form>
  );
}

/** Begins a comparison, for users who may. */
export function StartPanel({ linkId }: { linkId: string }) {
  return (
    <RequirePermission permission="lookup" action="compare tables">
      <Panel title="New comparison">
        <StartForm linkId={linkId} />
      </Panel>
    </RequirePermission>
  );
}
