import { ChangeDialog } from "@/components/ChangeDialog";
import { CommentForm } from "@/components/CommentForm";
import { showSuccess } from "@/components/toast";
import { useRefusal } from "@/components/use-refusal";

interface DeleteEntryProps {
  /** What is deleted: "freeze year end". */
  what: string;
  effect: string;
  remove: { mutateAsync: (reason: string) => Promise<unknown>; isPending: boolean };
}

/** Deletes an entry of the calendar, with a reason. */
export function DeleteEntry({ what, effect, remove }: DeleteEntryProps) {
  const refusal = useRefusal("configure");
  return (
    <ChangeDialog label={`Delete ${what}`} title={`Delete ${what}`} disabledReason={refusal}>
      {(close) => (
        <>
          <p className="dim">{effect}</p>
          <CommentForm
            label="Reason"
            submitLabel={`Delete ${what}`}
            color="red.8"
            isRequired
            isPending={remove.isPending}
            action={`delete the ${what}`}
            onSubmit={async (reason) => {
              await remove.mutateAsync(reason);
              showSuccess("Deleted.");
              close();
            }}
          />
        </>
      )}
    </ChangeDialog>
  );
}
