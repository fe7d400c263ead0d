import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { Versioned } from "@/api/if-match";
import type { ReasonOnly } from "@/api/types";
import { ChangeForm } from "./ChangeForm";
import { useChangeForm } from "./use-change-form";

interface ConfirmNameFormProps {
  /** What the name is of: "link", "cluster". */
  noun: string;
  name: string;
  version: number;
  action: string;
  submitLabel: string;
  save: (change: Versioned<ReasonOnly>) => Promise<unknown>;
  /** What ends and what stays. */
  children: ReactNode;
}

/** A change that cannot be undone: it needs a reason, and the name of its object, typed. */
export function ConfirmNameForm(props: ConfirmNameFormProps) {
  const { noun, name, version, action, submitLabel, save, children } = props;
  const change = useChangeForm({
    initialValues: { confirm: "", reason: "" },
    version,
    save: (given) => save({ version: given.version, body: { reason: given.body.reason } }),
  });
  const { confirm } = change.form.getValues();
  return (
    <ChangeForm
      change={change}
      action={action}
      submitLabel={submitLabel}
      missing={confirm === name ? null : `Type the ${noun}'s name: ${name}.`}
      isDanger
    >
      {children}
      <TextInput
        label={`Type the ${noun}'s name, ${name}`}
        autoComplete="off"
        spellCheck={false}
        {...change.form.getInputProps("confirm")}
      />
    </ChangeForm>
  );
}
