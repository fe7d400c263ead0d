import type { Token } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { TimeUntil } from "@/components/TimeUntil";
import { AccessEntry } from "./AccessEntry";

type Revoke = (id: string) => Promise<unknown>;

function TokenFacts({ token }: { token: Token }) {
  return (
    <>
      {token.role} · created <Timestamp at={token.created_at} /> · expires{" "}
      <TimeUntil at={token.expires_at} /> ·{" "}
      {token.last_used_at ? (
        <>
          last used <Timestamp at={token.last_used_at} />
        </>
      ) : (
        "never used"
      )}
    </>
  );
}

/** Active tokens. */
export function TokenList({ tokens, revoke }: { tokens: readonly Token[]; revoke: Revoke }) {
  if (tokens.length === 0) return <p className="dim">No active tokens.</p>;
  return (
    <ul>
      {tokens.map((token) => (
        <AccessEntry
          key={token.id}
          name={token.label}
          facts={<TokenFacts token={token} />}
          ending={{
            label: "Revoke token",
            subject: token.label,
            effect: "Requests with this token are refused from now on. This cannot be undone.",
            action: "revoke the token",
            success: `Token ${token.label} revoked.`,
            end: () => revoke(token.id),
          }}
        />
      ))}
    </ul>
  );
}
