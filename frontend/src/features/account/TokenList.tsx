import type { Token } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { TimeUntil } from "@/components/TimeUntil";
import { AccessEntry } from "./AccessEntry";

type Revoke = (id: string) => Promise<unknown>;

function TokenEntry({ token, revoke }: { token: Token; revoke: Revoke }) {
  return (
    <AccessEntry
      name={token.label}
      facts={
        <>
          {token.role} · made <Timestamp at={token.created_at} /> · ends{" "}
          <TimeUntil at={token.expires_at} /> ·{" "}
          {token.last_used_at ? (
            <>
              last used <Timestamp at={token.last_used_at} />
            </>
          ) : (
            "never used"
          )}
        </>
      }
      queryKey="tokens"
      words="Revoke"
      doing="Revoking"
      label={`Revoke ${token.label}`}
      end={() => revoke(token.id)}
    />
  );
}

/** Tokens that still work. */
export function TokenList({ tokens, revoke }: { tokens: readonly Token[]; revoke: Revoke }) {
  if (tokens.length === 0) return <p className="dim">No token works.</p>;
  return (
    <ul>
      {tokens.map((token) => (
        <TokenEntry key={token.id} token={token} revoke={revoke} />
      ))}
    </ul>
  );
}
