import { MultiSelect, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { linksQuery } from "@/api/resources/links";

export interface EntryValues extends Record<string, unknown> {
  name: string;
  reason: string;
  links: string[];
}

/** What windows and freezes have in common. */
export function EntryFields<Values extends EntryValues>(props: {
  form: UseFormReturnType<Values>;
}) {
  const { form } = props;
  const { data } = useQuery(linksQuery());
  const choices = data?.results.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  return (
    <>
      <TextInput label="Name" maxLength={63} {...form.getInputProps("name")} />
      <TextInput
        label="Reason"
        description="Shown where an operation is refused"
        maxLength={500}
        {...form.getInputProps("reason")}
      />
      <MultiSelect
        label="Links"
        description="None: all links"
        data={choices}
        {...form.getInputProps("links")}
      />
    </>
  );
}
