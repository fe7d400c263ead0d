import { Button, TextInput } from "@mantine/core";
import { useAcknowledgeAutomation } from "@/api/resources/automation";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Timestamp } from "@/components/Timestamp";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { useCan } from "@/components/use-session";
import { Callout } from "@/ui/Callout";

/** The pause after an automatic relocate; an operator who has checked it can end the pause. */
export function AutomationPause({ linkId, until }: { linkId: string; until: string }) {
  const canRun = useCan("run");
  const acknowledge = useAcknowledgeAutomation(linkId);
  const { form, submit, problem } = useServerForm({ initialValues: { comment: "" } });
  const send = submit(async ({ comment }) => {
    await acknowledge.mutateAsync(comment);
    showSuccess("Automatic relocate enabled again.");
  });
  return (
    <Callout
      tone="warn"
      title={
        <>
          Paused until <Timestamp at={until} /> after an automatic relocate.
        </>
      }
      description={
        canRun && (
          <form onSubmit={send} className="stack">
            {problem !== null && (
              <ProblemAlert error={problem} action="acknowledge the automatic relocate" />
            )}
            <TextInput
              label="Comment"
              description="Recorded in the audit log"
              {...form.getInputProps("comment")}
            />
            <div className="row">
              <Button type="submit" variant="default" loading={acknowledge.isPending}>
                Acknowledge and re-enable
              </Button>
            </div>
          </form>
        )
      }
    />
  );
}
