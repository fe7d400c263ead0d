import { Checkbox, NumberInput } from "@mantine/core";
import { useSetComparisonSchedule } from "@/api/resources/table-comparisons";
import type { ComparisonSchedule } from "@/api/types";
import { NextStart } from "@/components/NextStart";
import { ProblemAlert } from "@/components/ProblemAlert";
import { SaveSettingsButton } from "@/components/SaveSettingsButton";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { useCan } from "@/components/use-session";
import { Panel } from "@/ui/Panel";
import { BudgetFields } from "./BudgetFields";
import { BUDGET_CHECKS, requestOf, valuesOf } from "./budget";

function useScheduleForm(schedule: ComparisonSchedule) {
  const { enabled, every_hours } = schedule;
  return useServerForm({
    initialValues: { enabled, every_hours: every_hours as number | "", ...valuesOf(schedule) },
    validate: {
      every_hours: (hours) => (hours === "" ? "Enter the hours between comparisons" : null),
      ...BUDGET_CHECKS,
    },
  });
}

/** When the tables of the link are compared automatically. */
export function ComparisonSchedulePanel(props: { linkId: string; schedule: ComparisonSchedule }) {
  const { linkId, schedule } = props;
  const mayConfigure = useCan("configure");
  const save = useSetComparisonSchedule(linkId);
  const { form, submit, problem } = useScheduleForm(schedule);
  const onSubmit = submit(async ({ enabled, every_hours, ...budget }) => {
    await save.mutateAsync({ enabled, every_hours: Number(every_hours), ...requestOf(budget) });
    showSuccess("Comparison schedule saved.");
  });
  return (
    <Panel title="Schedule" aside={<NextStart schedule={schedule} />}>
      <form className="stack" onSubmit={onSubmit}>
        <Checkbox
          label="Compare on a schedule"
          disabled={!mayConfigure}
          {...form.getInputProps("enabled", { type: "checkbox" })}
        />
        <NumberInput
          label="Interval (hours)"
          min={1}
          max={2160}
          allowDecimal={false}
          disabled={!mayConfigure}
          {...form.getInputProps("every_hours")}
        />
        <BudgetFields
          inputProps={form.getInputProps}
          values={form.values}
          disabled={!mayConfigure}
        />
        {problem !== null && <ProblemAlert error={problem} action="save the schedule" />}
        <SaveSettingsButton
          canConfigure={mayConfigure}
          isDirty={form.isDirty()}
          isPending={save.isPending}
          label={form.values.enabled ? "Save schedule" : "Turn schedule off"}
          settings="the schedule"
        />
      </form>
    </Panel>
  );
}
