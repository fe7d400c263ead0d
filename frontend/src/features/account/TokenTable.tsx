import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Token } from "@/api/types";
import { Moment } from "@/components/clock";
import { ProblemNotice } from "@/components/ProblemNotice";

type Revoke = (id: string) => Promise<unknown>;

function TokenRow({ token, revoke }: { token: Token; revoke: Revoke }) {
  const client = useQueryClient();
  const revoking = useMutation({
    mutationFn: () => revoke(token.id),
    onSuccess: () => client.invalidateQueries({ queryKey: ["tokens"] }),
  });
  return (
    <tr>
      <td className="strong">{token.label}</td>
      <td>{token.role}</td>
      <td>
        <Moment at={token.created_at} />
      </td>
      <td>
        <Moment at={token.expires_at} />
      </td>
      <td>{token.last_used_at ? <Moment at={token.last_used_at} /> : "never"}</td>
      <td className="num">
        <Button
          size="xs"
          variant="default"
          loading={revoking.isPending}
          onClick={() => revoking.mutate()}
          aria-label={`Revoke ${token.label}`}
        >
          Revoke
        </Button>
        {revoking.isError && <ProblemNotice error={revoking.error} doing="Revoking" />}
      </td>
    </tr>
  );
}

/** Tokens that still work. */
export function TokenTable({ tokens, revoke }: { tokens: readonly Token[]; revoke: Revoke }) {
  if (tokens.length === 0) return <p className="dim">No token that works.</p>;
  return (
    <div className="scroll">
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
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} revoke={revoke} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
