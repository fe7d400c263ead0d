import { Select } from "@mantine/core";
import { useSwapLinkNames } from "@/api/resources/links";
import type { Link, LinkDetail } from "@/api/types";
import { ChangeForm } from "@/components/ChangeForm";
import { showSuccess } from "@/components/toast";
import { useChangeForm } from "@/components/use-change-form";

interface SwapNamesFormProps {
  link: LinkDetail;
  others: readonly Link[];
  close: () => void;
}

/** Swaps the names of two links at once. */
export function SwapNamesForm({ link, others, close }: SwapNamesFormProps) {
  const swap = useSwapLinkNames(link.id);
  const change = useChangeForm({
    initialValues: { other: "", reason: "" },
    version: link.version,
    save: async (values) => {
      await swap.mutateAsync(values);
      showSuccess("The names are swapped.");
      close();
    },
  });
  const { form } = change;
  const other = others.find(({ id }) => id === form.getValues().other);
  return (
    <ChangeForm
      change={change}
      action="swap the names"
      submitLabel={other ? `Swap names with ${other.name}` : "Swap names"}
      missing={other ? null : "Select the other link."}
    >
      <p className="dim">
        {other
          ? `${link.name} becomes ${other.name}, and ${other.name} becomes ${link.name}. Histories and settings stay with their links.`
          : "For example after a migration to new clusters: both names change at once."}
      </p>
      <Select
        label="Other link"
        placeholder="Select a link"
        data={others.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps("other")}
      />
    </ChangeForm>
  );
}
