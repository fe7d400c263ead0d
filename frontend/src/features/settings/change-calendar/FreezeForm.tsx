import { TextInput } from "@mantine/core";
import { useCreateFreeze } from "@/api/resources/change-calendar";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { EntryFields } from "./EntryFields";
import { asInstant } from "./entry-text";

const EMPTY = { name: "", reason: "", links: [] as string[], begins_at: "", ends_at: "" };

/** A time in which no planned operation starts. */
export function FreezeForm({ close }: { close: () => void }) {
  const create = useCreateFreeze();
  const { form, submit, problem } = useServerForm({ initialValues: EMPTY });
  const send = submit(async (values) => {
    const times = { begins_at: asInstant(values.begins_at), ends_at: asInstant(values.ends_at) };
    await create.mutateAsync({ ...values, ...times });
    showSuccess("Freeze added.");
    close();
  });
  const { name, reason, begins_at, ends_at } = form.values;
  const isMissing = [name, reason, begins_at, ends_at].some((value) => value.trim() === "");
  return (
    <form onSubmit={send} className="stack">
      {problem !== null && <ProblemAlert error={problem} action="add the freeze" />}
      <EntryFields form={form} />
      <TextInput
        type="datetime-local"
        label="Begins"
        description="In the time zone of this computer"
        {...form.getInputProps("begins_at")}
      />
      <TextInput type="datetime-local" label="Ends" {...form.getInputProps("ends_at")} />
      <div className="row end">
        <DisabledReasonButton
          type="submit"
          disabledReason={isMissing ? "Enter a name, a reason and both times." : null}
          loading={form.submitting}
        >
          Add freeze
        </DisabledReasonButton>
      </div>
    </form>
  );
}
