import { useAcknowledgeAutomation } from "@/api/resources/automation";
import { CommentForm } from "@/components/CommentForm";
import { Timestamp } from "@/components/Timestamp";
import { showSuccess } from "@/components/toast";
import { useCan } from "@/components/use-session";
import { Callout } from "@/ui/Callout";

/** The pause after an automatic relocate; an operator who has checked it can end the pause. */
export function AutomationPause({ linkId, until }: { linkId: string; until: string }) {
  const canRun = useCan("run");
  const acknowledge = useAcknowledgeAutomation(linkId);
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
          <CommentForm
            submitLabel="Acknowledge and re-enable"
            variant="default"
            isPending={acknowledge.isPending}
            action="acknowledge the automatic relocate"
            onSubmit={async (comment) => {
              await acknowledge.mutateAsync(comment);
              showSuccess("Automatic relocate enabled again.");
            }}
          />
        )
      }
    />
  );
}
