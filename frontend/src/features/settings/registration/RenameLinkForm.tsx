import { TextInput } from "@mantine/core";
import { useUpdateLink } from "@/api/resources/links";
import type { LinkDetail } from "@/api/types";
import { ChangeForm } from "@/components/ChangeForm";
import { showSuccess } from "@/components/toast";
import { useChangeForm } from "@/components/use-change-form";

/** Changes the name of a link. */
export function RenameLinkForm({ link, close }: { link: LinkDetail; close: () => void }) {
  const update = useUpdateLink(link.id);
  const change = useChangeForm({
    initialValues: { name: link.name, reason: "" },
    version: link.version,
    save: async (values) => {
      await update.mutateAsync(values);
      showSuccess(`The link is named ${values.body.name}.`);
      close();
    },
  });
  return (
    <ChangeForm change={change} action="rename the link" submitLabel="Rename link">
      <p className="dim">
        The name is typed to confirm runs. The ID of the link, its history and its addresses in this
        console stay.
      </p>
      <TextInput label="Name" required {...change.form.getInputProps("name")} />
    </ChangeForm>
  );
}
