import { Button, NumberInput, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { commands } from "@/api/commands";
import { tokensQuery } from "@/api/resources/tokens";
import type { CurrentUser, Page, Token } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { QueryBoundary } from "@/components/QueryBoundary";
import { type Role, rolesUpTo } from "@/domain/permissions";
import { Callout } from "@/ui/Callout";
import { CopyButton } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";
import { TokenList } from "./TokenList";

const DEFAULT_DAYS = 90;
const MOST_DAYS = 365;

function NewToken({ me }: { me: CurrentUser }) {
  const [label, setLabel] = useState("");
  const [role, setRole] = useState<Role>(me.role);
  const [days, setDays] = useState<number | null>(DEFAULT_DAYS);
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: () => commands.createToken({ label, role, expires_days: days }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["tokens"] }),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const allowed = rolesUpTo(me.role);
  return (
    <>
      <form onSubmit={submit} className="row top">
        <TextInput
          label="What for"
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
          required
        />
        <Select
          label="Role, at most yours"
          data={allowed}
          value={role}
          onChange={(value) => setRole(allowed.find((entry) => entry === value) ?? me.role)}
          allowDeselect={false}
        />
        <NumberInput
          label="Days until it ends"
          value={days ?? ""}
          min={1}
          max={MOST_DAYS}
          description={`${MOST_DAYS} at most`}
          inputWrapperOrder={["label", "input", "description", "error"]}
          onChange={(value) => setDays(typeof value === "number" ? value : null)}
        />
        <Button
          type="submit"
          variant="default"
          className="beside"
          loading={create.isPending}
          disabled={!label || days === null}
        >
          Create a token
        </Button>
      </form>
      {create.isError && <ProblemAlert error={create.error} action="Creating the token" />}
      {create.data?.token && (
        <Callout
          tone="warn"
          title={<code>{create.data.token}</code>}
          description="Shown once, now. Whoever has it acts under your name."
          actions={
            <CopyButton text={create.data.token} label="Copy the token" words="Copy the token" />
          }
        />
      )}
    </>
  );
}

/** Tokens act as the person who made them, with at most that person's role. */
export function TokensPanel({ me }: { me: CurrentUser }) {
  const query = useQuery(tokensQuery());
  return (
    <Panel title="Tokens" aside="for scripts and incident tools; each acts under your name">
      <NewToken me={me} />
      <QueryBoundary<Page<Token>> query={query} label="your tokens">
        {(page) => <TokenList tokens={page.results} revoke={commands.deleteToken} />}
      </QueryBoundary>
    </Panel>
  );
}
