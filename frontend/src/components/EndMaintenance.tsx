import { useResumeLink } from "@/api/resources/links";
import type { Link } from "@/api/types";
import { ChangeDialog } from "./ChangeDialog";
import { ChangeForm } from "./ChangeForm";
import { showSuccess } from "./toast";
import { useChangeForm } from "./use-change-form";
import { useRefusal } from "./use-refusal";

function EndForm({ link, close }: { link: Link; close: () => void }) {
  const resume = useResumeLink(link.id);
  const change = useChangeForm({
    initialValues: { reason: "" },
    version: link.version,
    save: async (values) => {
      await resume.mutateAsync(values);
      showSuccess(`The maintenance of ${link.name} has ended.`);
      close();
    },
  });
  return (
    <ChangeForm change={change} action="end the maintenance" submitLabel="End maintenance">
      <p className="dim">
        Webhooks are called again, first with the current state of the link. Automatic operations
        can start again.
      </p>
    </ChangeForm>
  );
}

/** Ends the maintenance of a link before its time. */
export function EndMaintenance({ link }: { link: Link }) {
  return (
    <ChangeDialog
      label="End maintenance"
      title={`End maintenance of ${link.name}`}
      disabledReason={useRefusal("run")}
    >
      {(close) => <EndForm link={link} close={close} />}
    </ChangeDialog>
  );
}
