import { Checkbox } from "@mantine/core";
import { useUpdateLink } from "@/api/resources/links";
import type { LinkDetail } from "@/api/types";
import { ChangeForm } from "@/components/ChangeForm";
import { showSuccess } from "@/components/toast";
import { useChangeForm } from "@/components/use-change-form";
import { STANDBY_WRITES } from "@/domain/standby-writes";

/** Changes whether a standby side that accepts writes is as it should be. */
export function StandbyWritesForm({ link, close }: { link: LinkDetail; close: () => void }) {
  const update = useUpdateLink(link.id);
  const change = useChangeForm({
    initialValues: { writes_on_both_sides: link.writes_on_both_sides, reason: "" },
    version: link.version,
    save: async (values) => {
      await update.mutateAsync(values);
      showSuccess("Writes on the standby side saved.");
      close();
    },
  });
  return (
    <ChangeForm change={change} action="change the writes on the standby side" submitLabel="Save">
      <p className="dim">{STANDBY_WRITES.description} Nothing is changed on the clusters.</p>
      <Checkbox
        label={STANDBY_WRITES.label}
        {...change.form.getInputProps("writes_on_both_sides", { type: "checkbox" })}
      />
    </ChangeForm>
  );
}
