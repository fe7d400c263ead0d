import { Checkbox, NumberInput } from "@mantine/core";
import { useSetRehearsalSchedule } from "@/api/resources/rehearsals";
import type { Schedule } from "@/api/types";
import { NextStart } from "@/components/NextStart";
import { ProblemAlert } from "@/components/ProblemAlert";
import { SaveSettingsButton } from "@/components/SaveSettingsButton";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { useCan } from "@/components/use-session";
import { operationLabel } from "@/domain/operations";
import { Panel } from "@/ui/Panel";
import { REHEARSED } from "./rehearsal-status";

/** In the order of the list, so that the order in which the boxes are checked is no change. */
const sorted = (kinds: readonly string[]) => REHEARSED.filter((kind) => kinds.includes(kind));

function useScheduleForm({ enabled, every_hours, kinds }: Schedule) {
  return useServerForm({
    initialValues: { enabled, every_hours: every_hours as number | "", kinds: sorted(kinds) },
    validate: {
      every_hours: (hours) => (hours === "" ? "Enter the hours between rehearsals" : null),
    },
  });
}

/** When the operations of the link are rehearsed automatically. */
export function SchedulePanel({ linkId, schedule }: { linkId: string; schedule: Schedule }) {
  const mayConfigure = useCan("configure");
  const save = useSetRehearsalSchedule(linkId);
  const { form, submit, problem } = useScheduleForm(schedule);
  const onSubmit = submit(async ({ enabled, every_hours, kinds }) => {
    await save.mutateAsync({ enabled, every_hours: Number(every_hours), kinds });
    showSuccess("Rehearsal schedule saved.");
  });
  return (
    <Panel title="Schedule" aside={<NextStart schedule={schedule} />}>
      <form className="stack" onSubmit={onSubmit}>
        <Checkbox
          label="Rehearse on a schedule"
          disabled={!mayConfigure}
          {...form.getInputProps("enabled", { type: "checkbox" })}
        />
        <NumberInput
          label="Interval (hours)"
          min={1}
          max={720}
          allowDecimal={false}
          disabled={!mayConfigure}
          {...form.getInputProps("every_hours")}
        />
        <Checkbox.Group
          label="Operations"
          {...form.getInputProps("kinds")}
          onChange={(kinds) => form.setFieldValue("kinds", sorted(kinds))}
        >
          <div className="stack attest">
            {REHEARSED.map((kind) => (
              <Checkbox
                key={kind}
                value={kind}
                label={operationLabel(kind)}
                disabled={!mayConfigure}
              />
            ))}
          </div>
        </Checkbox.Group>
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
