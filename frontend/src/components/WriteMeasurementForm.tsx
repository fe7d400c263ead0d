import { Button, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { HeartbeatRequest } from "@/api/types";
import { ProblemAlert } from "./ProblemAlert";
import { useServerForm } from "./use-server-form";

interface Props {
  noun: string;
  name: string;
  /** For "Could not {action}". */
  action: string;
  submitLabel: string;
  save: (confirmed: HeartbeatRequest) => Promise<unknown>;
  /** What is written, for how long, and when it stops. */
  children: ReactNode;
}

/** Asks before something is written to a cluster that serves applications: its name, typed, and a reason. */
export function WriteMeasurementForm({ noun, name, action, submitLabel, save, children }: Props) {
  const { form, submit, problem } = useServerForm({
    initialValues: { confirm: "", reason: "" },
    validate: {
      confirm: (value) => (value === name ? null : `Type the ${noun}'s name: ${name}.`),
      reason: (value) => (value.trim() === "" ? "Enter a reason for the audit log." : null),
    },
  });
  return (
    <form className="stack" onSubmit={submit(save)}>
      {problem !== null && <ProblemAlert error={problem} action={action} />}
      {children}
      <TextInput
        label={`Type the ${noun}'s name, ${name}`}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps("confirm")}
      />
      <TextInput
        label="Reason"
        description="Recorded in the audit log"
        maxLength={2000}
        {...form.getInputProps("reason")}
      />
      <div className="row end">
        <Button type="submit" loading={form.submitting}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
