import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";

interface ReasonFormProps {
  /** "the transactions" */
  what: string;
  /** "2 transactions" */
  count: string;
  disabledReason: string | null;
  send: (reason: string) => Promise<void>;
  children: ReactNode;
}

/** Settles something for a reason. */
export function ReasonForm({ what, count, disabledReason, send, children }: ReasonFormProps) {
  const { form, submit, problem } = useServerForm({ initialValues: { reason: "" } });
  return (
    <form className="stack attest" onSubmit={submit(({ reason }) => send(reason.trim()))}>
      {problem !== null && <ProblemAlert error={problem} action={`settle ${what}`} />}
      {children}
      <TextInput
        label="Reason"
        description="Recorded in the audit log"
        required
        minLength={3}
        maxLength={500}
        data-autofocus
        {...form.getInputProps("reason")}
      />
      <div className="row">
        <DisabledReasonButton
          type="submit"
          loading={form.submitting}
          disabledReason={disabledReason}
        >
          Settle {count}
        </DisabledReasonButton>
      </div>
    </form>
  );
}
