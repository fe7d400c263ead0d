import { Checkbox } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { RevokedToken } from "@/api/resources/tokens";
import type { Token } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { TimeUntil } from "@/components/TimeUntil";
import { pluralize } from "@/lib/format/number";
import { AccessEntry } from "./AccessEntry";

type Revoke = (revoked: RevokedToken) => Promise<unknown>;

/** What the token may less than its user, in sentences. */
const limitsOf = ({ permissions, links, environments, addresses, rotated_from }: Token) =>
  [
    permissions && `only ${permissions.join(", ")}`,
    links && `only for ${pluralize(links.length, "link")}`,
    environments && `only in ${environments.join(", ")}`,
    addresses && `only from ${addresses.join(", ")}`,
    rotated_from && `replaces the token ${rotated_from}`,
  ].filter((text) => text !== null && text !== "");

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
      {limitsOf(token).map((text) => (
        <div key={text}>{text}</div>
      ))}
    </>
  );
}

interface TokenEntryProps {
  token: Token;
  revoke: Revoke;
  more: ReactNode;
}

function TokenEntry({ token, revoke, more }: TokenEntryProps) {
  const [isCompromised, setIsCompromised] = useState(false);
  return (
    <AccessEntry
      name={token.label}
      facts={<TokenFacts token={token} />}
      more={more}
      ending={{
        label: "Revoke token",
        subject: token.label,
        effect: (
          <>
            Requests with this token are refused from now on. This cannot be undone.
            <Checkbox
              mt="sm"
              label="Others may have used it"
              description="Runs and protected changes that it requested and that have not begun or taken effect end, and its approvals count no more."
              checked={isCompromised}
              onChange={(event) => setIsCompromised(event.currentTarget.checked)}
            />
          </>
        ),
        action: "revoke the token",
        success: `Token ${token.label} revoked.`,
        end: () => revoke({ id: token.id, isCompromised }),
      }}
    />
  );
}

interface TokenListProps {
  tokens: readonly Token[];
  revoke: Revoke;
  /** The button that rotates a token; left out where the user cannot. */
  rotating?: (token: Token) => ReactNode;
}

/** Active tokens. */
export function TokenList({ tokens, revoke, rotating }: TokenListProps) {
  if (tokens.length === 0) return <p className="dim">No active tokens.</p>;
  return (
    <ul>
      {tokens.map((token) => (
        <TokenEntry key={token.id} token={token} revoke={revoke} more={rotating?.(token)} />
      ))}
    </ul>
  );
}
