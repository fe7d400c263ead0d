import { Button, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useNavigate } from "@tanstack/react-router";
import type { Cluster } from "@/api/types";

const digitsOf = (text: string) => text.replace(/[,\s_]/g, "");

interface SearchFormProps {
  clusters: readonly Cluster[];
  cluster: string | undefined;
  xid: string | undefined;
}

/** The transaction to find; the address of the page keeps it. */
export function SearchForm({ clusters, cluster, xid }: SearchFormProps) {
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { cluster: cluster ?? clusters[0]?.id ?? "", xid: xid ?? "" },
    validate: {
      cluster: (value) => (value ? null : "Select a cluster"),
      xid: (value) => (/^\d+$/.test(digitsOf(value)) ? null : "Enter digits only"),
    },
  });
  return (
    <form
      className="row"
      onSubmit={form.onSubmit((values) =>
        navigate({
          to: "/lookup",
          search: { cluster: values.cluster, xid: digitsOf(values.xid) },
        }),
      )}
    >
      <Select
        label="Cluster that wrote the transaction"
        data={clusters.map(({ id, name, site }) => ({ value: id, label: `${name}, ${site}` }))}
        allowDeselect={false}
        w={280}
        {...form.getInputProps("cluster")}
      />
      <TextInput
        label="Xid (wsrep seqno)"
        inputMode="numeric"
        w={220}
        {...form.getInputProps("xid")}
      />
      <Button type="submit" mt={24}>
        Find transaction
      </Button>
    </form>
  );
}
