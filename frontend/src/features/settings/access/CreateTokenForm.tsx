import { Button, NumberInput, Select, TextInput } from "@mantine/core";
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
function TokenSecret({ secret }: { secret: string }) {
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

/** Creates a token with at most the role of its user. */
export function CreateTokenForm({ user }: { user: CurrentUser }) {
  const create = useCreateToken();
  const { form, submit, problem } = useServerForm({
    initialValues: { label: "", role: user.role, expires_days: DEFAULT_DAYS as number | string },
  });
  const send = submit(async ({ expires_days, ...values }) => {
    await create.mutateAsync({ ...values, expires_days: Number(expires_days) });
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
        <Button type="submit" variant="default" className="beside" loading={create.isPending}>
          Create token
        </Button>
      </form>
      {problem !== null && <ProblemAlert error={problem} action="create the token" />}
      {create.data?.token && <TokenSecret secret={create.data.token} />}
    </>
  );
}
