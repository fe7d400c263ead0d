import { Button, NumberInput, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { commands } from "@/api/commands";
import { queries } from "@/api/queries";
import type { Me, Page, Token } from "@/api/types";
import { Moment } from "@/components/clock";
import { Loaded } from "@/components/Loaded";
import { ProblemNotice } from "@/components/ProblemNotice";
import type { Role } from "@/lib/abilities";
import { CopyButton } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";
import { Statement } from "@/ui/Statement";

const ROLES: readonly Role[] = ["viewer", "operator", "approver", "admin"];

function NewToken({ me }: { me: Me }) {
  const [label, setLabel] = useState("");
  const [role, setRole] = useState<Role>(me.role);
  const [days, setDays] = useState<number | null>(90);
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: () => commands.createToken({ label, role, expires_days: days }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["tokens"] }),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const allowed = ROLES.slice(0, ROLES.indexOf(me.role) + 1);
  return (
    <>
      <form onSubmit={submit} className="row">
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
          max={3650}
          onChange={(value) => setDays(typeof value === "number" ? value : null)}
        />
        <Button
          type="submit"
          variant="default"
          mt={24}
          loading={create.isPending}
          disabled={!label}
        >
          Create a token
        </Button>
      </form>
      {create.isError && <ProblemNotice error={create.error} doing="Creating the token" />}
      {create.data?.token && (
        <Statement
          tone="warn"
          sentence={<code>{create.data.token}</code>}
          detail="Shown once, now. Whoever has it acts under your name."
          actions={
            <CopyButton text={create.data.token} label="Copy the token" words="Copy the token" />
          }
        />
      )}
    </>
  );
}

function TokenRow({ token }: { token: Token }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => commands.deleteToken(token.id),
    onSuccess: () => client.invalidateQueries({ queryKey: ["tokens"] }),
  });
  return (
    <tr>
      <td className="strong">{token.label}</td>
      <td>{token.role}</td>
      <td>
        <Moment at={token.created_at} />
      </td>
      <td>{token.expires_at ? <Moment at={token.expires_at} /> : "never"}</td>
      <td>{token.last_used_at ? <Moment at={token.last_used_at} /> : "never"}</td>
      <td className="num">
        <Button
          size="xs"
          variant="default"
          loading={revoke.isPending}
          onClick={() => revoke.mutate()}
          aria-label={`Revoke ${token.label}`}
        >
          Revoke
        </Button>
        {revoke.isError && <ProblemNotice error={revoke.error} doing="Revoking" />}
      </td>
    </tr>
  );
}

/** Tokens act as the person who made them, with at most that person's role. */
export function TokensPanel({ me }: { me: Me }) {
  const query = useQuery(queries.tokens());
  return (
    <Panel title="Tokens" aside="for scripts and incident tools; each acts under your name">
      <NewToken me={me} />
      <Loaded<Page<Token>> query={query} what="your tokens">
        {(page) => (
          <table className="grid">
            <thead>
              <tr>
                <th>What for</th>
                <th>Role</th>
                <th>Made</th>
                <th>Ends</th>
                <th>Last used</th>
                <th>
                  <span className="sr-only">Revoke</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {page.results.map((token) => (
                <TokenRow key={token.id} token={token} />
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
    </Panel>
  );
}
