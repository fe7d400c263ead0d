import { queryOptions } from "@tanstack/react-query";
import { syncServerClock } from "@/lib/server-clock";
import { isUnauthenticated } from "../client";
import { answeredBy, dropFirst, takeFirst } from "../first-requests";
import { withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type { CurrentUser, PasswordChangeRequest, SignInRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

async function readSession(signal: AbortSignal): Promise<CurrentUser | null> {
  const first = takeFirst("/api/v1/session");
  const sentAtMs = first?.sentAtMs ?? Date.now();
  try {
    const user = await send("GET", "/api/v1/session", { signal, ...answeredBy(first) });
    const receivedAtMs = Math.min(first?.receivedAtMs ?? Date.now(), Date.now());
    syncServerClock(user.server_time, sentAtMs, receivedAtMs);
    return user;
  } catch (cause) {
    if (!isUnauthenticated(cause)) throw cause;
    dropFirst();
    return null;
  }
}

/** The signed-in user; null where no user is signed in. */
export const sessionQuery = () =>
  queryOptions({
    queryKey: queryKeys.session,
    queryFn: ({ signal }) => readSession(withTimeout(signal)),
    staleTime: 30_000,
    refetchInterval: 60_000,
  });

/**
 * Ends this browser's session; the caller clears the cache. The address that ends the session at the
 * user's provider, too; null where there is none.
 */
export async function signOut(user: CurrentUser): Promise<string | null> {
  if (user.provider?.kind === "oidc") {
    const ended = await send("POST", "/api/v1/sign-in/oidc/sign-out", {});
    return ended.end_session_url;
  }
  await send("DELETE", "/api/v1/session", {});
  return null;
}

export const useSignIn = () =>
  useApiMutation(
    (body: SignInRequest) => send("POST", "/api/v1/session", { body }),
    [queryKeys.session],
  );

/** Ends every other session and all tokens of the user. */
export const useChangePassword = () =>
  useApiMutation(
    (body: PasswordChangeRequest) => send("POST", "/api/v1/session/password", { body }),
    [queryKeys.sessions, queryKeys.tokens],
  );
