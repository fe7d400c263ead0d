import { Select } from "@mantine/core";
import { useUpdateLink } from "@/api/resources/links";
import type { LinkDetail } from "@/api/types";
import { ChangeForm } from "@/components/ChangeForm";
import { showSuccess } from "@/components/toast";
import { useChangeForm } from "@/components/use-change-form";

/** Changes which side of a link is its home side. */
export function HomeSideForm({ link, close }: { link: LinkDetail; close: () => void }) {
  const update = useUpdateLink(link.id);
  const change = useChangeForm({
    initialValues: { home_cluster: link.home_cluster.id, reason: "" },
    version: link.version,
    save: async (values) => {
      await update.mutateAsync(values);
      showSuccess("Home side saved.");
      close();
    },
  });
  const sides = [link.active_cluster, link.standby_cluster];
  return (
    <ChangeForm change={change} action="change the home side" submitLabel="Save home side">
      <p className="dim">
        The home side is active in normal operation. A failback leads there. Nothing is changed on
        the clusters.
      </p>
      <Select
        label="Home side"
        data={sides.map(({ id, name, site }) => ({ value: id, label: `${name}, ${site}` }))}
        allowDeselect={false}
        {...change.form.getInputProps("home_cluster")}
      />
    </ChangeForm>
  );
}
