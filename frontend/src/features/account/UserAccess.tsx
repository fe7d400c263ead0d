import { useQuery } from "@tanstack/react-query";
import { commands } from "@/api/commands";
import { userSessionsQuery, userTokensQuery } from "@/api/resources/users";
import type { Page, Session, Token } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SessionList } from "./SessionList";
import { TokenList } from "./TokenList";

/** Sessions and tokens of another person. */
export function UserAccess({ username }: { username: string }) {
  const sessions = useQuery(userSessionsQuery(username));
  const tokens = useQuery(userTokensQuery(username));
  return (
    <>
      <h4>Sessions of {username}</h4>
      <QueryBoundary<Page<Session>> query={sessions} label="the sessions">
        {(page) => (
          <SessionList sessions={page.results} end={(id) => commands.endSessionOf(username, id)} />
        )}
      </QueryBoundary>
      <h4>Tokens of {username}</h4>
      <QueryBoundary<Page<Token>> query={tokens} label="the tokens">
        {(page) => (
          <TokenList tokens={page.results} revoke={(id) => commands.revokeTokenOf(username, id)} />
        )}
      </QueryBoundary>
    </>
  );
}
