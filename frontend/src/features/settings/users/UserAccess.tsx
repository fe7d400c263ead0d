import { useQuery } from "@tanstack/react-query";
import {
  useEndUserSession,
  useRevokeUserToken,
  userSessionsQuery,
  userTokensQuery,
} from "@/api/resources/users";
import type { Page, Session, Token } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SessionList } from "../access/SessionList";
import { TokenList } from "../access/TokenList";

/** Sessions and tokens of another user. */
export function UserAccess({ username }: { username: string }) {
  const sessions = useQuery(userSessionsQuery(username));
  const tokens = useQuery(userTokensQuery(username));
  const ending = useEndUserSession(username);
  const revoking = useRevokeUserToken(username);
  return (
    <>
      <h4>Sessions of {username}</h4>
      <QueryBoundary<Page<Session>> query={sessions} label="the sessions">
        {(page) => <SessionList sessions={page.results} end={ending.mutateAsync} />}
      </QueryBoundary>
      <h4>Tokens of {username}</h4>
      <QueryBoundary<Page<Token>> query={tokens} label="the tokens">
        {(page) => <TokenList tokens={page.results} revoke={revoking.mutateAsync} />}
      </QueryBoundary>
    </>
  );
}
