import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useDismissAdvice } from "@/api/resources/advice";
import type { Advice } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { serverNow } from "@/lib/server-clock";

const DAY_MS = 86_400_000;
const DURATIONS = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
];

/** Dismisses advice for a reason and a time. */
export function DismissForm({ advice, close }: { advice: Advice; close: () => void }) {
  const dismiss = useDismissAdvice();
  const { form, submit, problem } = useServerForm({
    initialValues: { reason: "", expires_at: "90" },
  });
  const send = submit(async ({ reason, expires_at: days }) => {
    await dismiss.mutateAsync({
      subject_id: advice.subject_id,
      code: advice.code,
      fingerprint: advice.fingerprint,
      reason: reason.trim(),
      expires_at: new Date(serverNow() + Number(days) * DAY_MS).toISOString(),
    });
    showSuccess("Advice dismissed.");
    close();
  });
  return (
    <form className="stack attest" onSubmit={send}>
      {problem !== null && <ProblemAlert error={problem} action="dismiss the advice" />}
      <p className="dim">
        It stays listed as dismissed, and in the readiness report. It is open again after this time,
        or as soon as its facts change. No server is changed.
      </p>
      <TextInput
        label="Reason"
        description="Recorded in the audit log"
        required
        minLength={3}
        maxLength={500}
        data-autofocus
        {...form.getInputProps("reason")}
      />
      <NativeSelect label="For" data={DURATIONS} {...form.getInputProps("expires_at")} />
      <div className="row">
        <Button type="submit" loading={dismiss.isPending}>
          Dismiss advice
        </Button>
      </div>
    </form>
  );
}
