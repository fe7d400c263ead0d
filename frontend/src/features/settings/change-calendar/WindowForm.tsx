import { Checkbox, Group, NumberInput, TextInput } from "@mantine/core";
import { useCreateWindow } from "@/api/resources/change-calendar";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { EntryFields } from "./EntryFields";
import { WEEKDAYS } from "./entry-text";

const EMPTY = {
  name: "",
  reason: "",
  links: [] as string[],
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  weekdays: [] as string[],
  starts: "22:00",
  minutes: 240,
};

/** A weekly time in which planned operations may start. */
export function WindowForm({ close }: { close: () => void }) {
  const create = useCreateWindow();
  const { form, submit, problem } = useServerForm({ initialValues: EMPTY });
  const send = submit(async (values) => {
    await create.mutateAsync({ ...values, weekdays: values.weekdays.map(Number).sort() });
    showSuccess("Change window added.");
    close();
  });
  const { name, reason, weekdays } = form.values;
  const isMissing = name.trim() === "" || reason.trim() === "" || weekdays.length === 0;
  return (
    <form onSubmit={send} className="stack">
      {problem !== null && <ProblemAlert error={problem} action="add the change window" />}
      <EntryFields form={form} />
      <Checkbox.Group label="Weekdays" {...form.getInputProps("weekdays")}>
        <Group gap="sm" mt={6}>
          {WEEKDAYS.map((day, index) => (
            <Checkbox key={day} value={String(index)} label={day} />
          ))}
        </Group>
      </Checkbox.Group>
      <TextInput
        label="Time zone"
        description="Name of the IANA database, for example Europe/Berlin"
        {...form.getInputProps("zone")}
      />
      <TextInput type="time" label="Opens at" {...form.getInputProps("starts")} />
      <NumberInput
        label="Length (minutes)"
        min={1}
        max={10080}
        {...form.getInputProps("minutes")}
      />
      <div className="row end">
        <DisabledReasonButton
          type="submit"
          disabledReason={isMissing ? "Enter a name, a reason and a weekday." : null}
          loading={form.submitting}
        >
          Add change window
        </DisabledReasonButton>
      </div>
    </form>
  );
}
