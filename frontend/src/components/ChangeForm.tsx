import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { ChangeProblem } from "./ChangeProblem";
import { DisabledReasonButton } from "./DisabledReasonButton";
import type { ChangeFormState } from "./use-change-form";

interface ChangeFormProps<Values extends Record<string, unknown> & { reason: string }> {
  change: ChangeFormState<Values>;
  /** What the form does, as an infinitive: "rename the link". */
  action: string;
  submitLabel: string;
  /** What is missing besides the reason; null where nothing is. */
  missing?: string | null;
  isDanger?: boolean;
  /** The field of the reason, where it is more than a line for the audit log. */
  reasonField?: ReactNode;
  children?: ReactNode;
}

/** The fields of a change, its reason, the server's refusal, and the button that saves it. */
export function ChangeForm<Values extends Record<string, unknown> & { reason: string }>(
  props: ChangeFormProps<Values>,
) {
  const { change, action, submitLabel, missing = null, isDanger, children, reasonField } = props;
  const { form, problem } = change;
  const needsReason = form.getValues().reason.trim() === "";
  const disabledReason = missing ?? (needsReason ? "Enter a reason for the audit log." : null);
  return (
    <form onSubmit={change.onSubmit} className="stack">
      {problem !== null && (
        <ChangeProblem
          problem={problem}
          action={action}
          keepInput={change.keepInput}
          loadCurrent={change.loadCurrent}
        />
      )}
      {children}
      {reasonField ?? (
        <TextInput
          label="Reason"
          description="Recorded in the audit log"
          maxLength={2000}
          {...form.getInputProps("reason")}
        />
      )}
      <div className="row end">
        {disabledReason && <span className="dim grow">{disabledReason}</span>}
        <DisabledReasonButton
          type="submit"
          disabledReason={disabledReason}
          loading={form.submitting}
          {...(isDanger ? { color: "red.8" } : {})}
        >
          {submitLabel}
        </DisabledReasonButton>
      </div>
    </form>
  );
}
