import type { ComponentProps, ReactNode } from "react";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";

interface UserFieldFormProps {
  onSubmit: NonNullable<ComponentProps<"form">["onSubmit"]>;
  submitLabel: string;
  disabledReason: string | null;
  isPending: boolean;
  problem: unknown;
  /** For "Could not {action}" where it fails. */
  action: string;
  /** The field. */
  children: ReactNode;
}

/** One field of a user with the button that saves it. */
export function UserFieldForm(props: UserFieldFormProps) {
  return (
    <form onSubmit={props.onSubmit}>
      <div className="row top">
        {props.children}
        <DisabledReasonButton
          type="submit"
          size="xs"
          className="beside"
          variant="default"
          loading={props.isPending}
          disabledReason={props.disabledReason}
        >
          {props.submitLabel}
        </DisabledReasonButton>
      </div>
      {props.problem !== null && <ProblemAlert error={props.problem} action={props.action} />}
    </form>
  );
}
