import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { DisabledReasonButton } from "./DisabledReasonButton";
import { ProblemAlert } from "./ProblemAlert";
import { useServerForm } from "./use-server-form";

interface CommentFormProps {
  label?: string;
  submitLabel: string;
  color?: string;
  variant?: string;
  isRequired?: boolean;
  isPending: boolean;
  /** For "Could not {action}" where it fails. */
  action: string;
  onSubmit: (comment: string) => Promise<unknown>;
  /** Buttons beside the one that submits. */
  children?: ReactNode;
}

/** A decision with a comment for the audit log. */
export function CommentForm(props: CommentFormProps) {
  const { label = "Comment", isRequired = false, color, variant, onSubmit } = props;
  const { form, submit, problem } = useServerForm({ initialValues: { comment: "" } });
  const isMissing = isRequired && form.values.comment.trim() === "";
  return (
    <form className="stack attest" onSubmit={submit(({ comment }) => onSubmit(comment.trim()))}>
      {problem !== null && <ProblemAlert error={problem} action={props.action} />}
      <TextInput
        label={label}
        description="Recorded in the audit log"
        maxLength={2000}
        required={isRequired}
        {...form.getInputProps("comment")}
      />
      <div className="row">
        <DisabledReasonButton
          type="submit"
          {...(color ? { color } : {})}
          {...(variant ? { variant } : {})}
          loading={props.isPending}
          disabledReason={isMissing ? "Enter a comment first." : null}
        >
          {props.submitLabel}
        </DisabledReasonButton>
        {props.children}
      </div>
    </form>
  );
}
