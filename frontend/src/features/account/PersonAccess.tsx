import { useQuery } from "@tanstack/react-query";
import { commands } from "@/api/commands";
import { queries } from "@/api/queries";
import type { Page, Session, Token } from "@/api/types";
import { Loaded } from "@/components/Loaded";
import { SessionList } from "./SessionList";
import { TokenList } from "./TokenList";

/** Sessions and tokens of another person. */
export function PersonAccess({ username }: { username: string }) {
  const sessions = useQuery(queries.sessionsOf(username));
  const tokens = useQuery(queries.tokensOf(username));
  return (
    <>
      <h4>Sessions of {username}</h4>
      <Loaded<Page<Session>> query={sessions} what="the sessions">
        {(page) => (
          <SessionList sessions={page.results} end={(id) => commands.endSessionOf(username, id)} />
        )}
      </Loaded>
      <h4>Tokens of {username}</h4>
      <Loaded<Page<Token>> query={tokens} what="the tokens">
        {(page) => (
          <TokenList tokens={page.results} revoke={(id) => commands.revokeTokenOf(username, id)} />
        )}
      </Loaded>
    </>
  );
}
