import { useQuery } from "@tanstack/react-query";
import { tokensQuery, useRevokeToken } from "@/api/resources/tokens";
import type { CurrentUser, Page, Token } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Panel } from "@/ui/Panel";
import { CreateTokenForm } from "./CreateTokenForm";
import { RotateToken } from "./RotateToken";
import { TokenList } from "./TokenList";

/** Tokens act under the name of the user who created them, with at most that user's role. */
export function TokensPanel({ user }: { user: CurrentUser }) {
  const query = useQuery(tokensQuery());
  const revoking = useRevokeToken();
  return (
    <Panel title="Tokens" aside="for scripts and incident tools; each acts under your name">
      <CreateTokenForm user={user} />
      <div className="note">
        <QueryBoundary<Page<Token>> query={query} label="your tokens">
          {(page) => (
            <TokenList
              tokens={page.results}
              revoke={revoking.mutateAsync}
              rotating={(token) => <RotateToken token={token} />}
            />
          )}
        </QueryBoundary>
      </div>
    </Panel>
  );
}
