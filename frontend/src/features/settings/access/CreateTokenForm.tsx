import { Button, MultiSelect, NumberInput, Select, TagsInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { linksQuery } from "@/api/resources/links";
import { useCreateToken } from "@/api/resources/tokens";
import type { CurrentUser } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
import { rolesUpTo } from "@/domain/permissions";
import { Callout } from "@/ui/Callout";
import { CopyButton } from "@/ui/CopyButton";

const DEFAULT_DAYS = 90;
const MAX_DAYS = 365;
const INPUT_ORDER: ("label" | "input" | "description" | "error")[] = [
  "label",
  "input",
  "description",
  "error",
];

/** The secret of a new token; the server never returns it again. */
export function TokenSecret({ secret }: { secret: string }) {
  return (
    <Callout
      live
      tone="warn"
      title={<code>{secret}</code>}
      description="The token is shown only once. Copy it now. Anyone who has it can act under your name."
      actions={<CopyButton text={secret} label="Copy token" words="Copy token" />}
    />
  );
}

type Permission = CurrentUser["permissions"][number];

/** An empty choice is no limit. */
const limit = <Value,>(values: Value[]): Value[] | null => (values.length > 0 ? values : null);

/** Creates a token with at most the role of its user. */
export function CreateTokenForm({ user }: { user: CurrentUser }) {
  const create = useCreateToken();
  const { form, submit, problem } = useServerForm({
    initialValues: {
      label: "",
      role: user.role,
      expires_days: DEFAULT_DAYS as number | string,
      permissions: [] as Permission[],
      links: [] as string[],
      addresses: [] as string[],
    },
  });
  const links = useQuery(linksQuery()).data?.results ?? [];
  const send = submit(async ({ expires_days, permissions, links: ids, addresses, ...values }) => {
    await create.mutateAsync({
      ...values,
      expires_days: Number(expires_days),
      permissions: limit(permissions),
      links: limit(ids),
      addresses: limit(addresses),
    });
    form.reset();
  });
  return (
    <>
      <form onSubmit={send} className="row top">
        <TextInput
          label="Description"
          required
          withAsterisk={false}
          {...form.getInputProps("label")}
        />
        <Select
          label="Role"
          description="At most your own role"
          inputWrapperOrder={INPUT_ORDER}
          data={rolesUpTo(user.role)}
          allowDeselect={false}
          {...form.getInputProps("role")}
        />
        <NumberInput
          label="Expires in (days)"
          description={`At most ${MAX_DAYS} days`}
          inputWrapperOrder={INPUT_ORDER}
          min={1}
          max={MAX_DAYS}
          required
          withAsterisk={false}
          {...form.getInputProps("expires_days")}
        />
        <MultiSelect
          label="Only these permissions"
          description="Of the role; empty for all"
          inputWrapperOrder={INPUT_ORDER}
          data={user.permissions}
          {...form.getInputProps("permissions")}
        />
        <MultiSelect
          label="Only these links"
          description="And their clusters; empty for all"
          inputWrapperOrder={INPUT_ORDER}
          searchable
          limit={100}
          data={links.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps("links")}
        />
        <TagsInput
          label="Only from these addresses"
          description="Such as 192.0.2.0/24; empty for any"
          inputWrapperOrder={INPUT_ORDER}
          {...form.getInputProps("addresses")}
        />
        <Button type="submit" variant="default" className="beside" loading={create.isPending}>
          Create token
        </Button>
      </form>
      {problem !== null && <ProblemAlert error={problem} action="create the token" />}
      {create.data?.token && <TokenSecret secret={create.data.token} />}
    </>
  );
}
