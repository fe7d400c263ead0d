import { queryOptions } from "@tanstack/react-query";
import { createPasskey, readPasskey } from "@/lib/passkey";
import { Problem } from "../problem";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import { useApiMutation } from "../use-api-mutation";

/** How the sign-in that waits in this session can be finished; empty if none waits. */
async function readWaitingWays(): Promise<string[]> {
  try {
    await send("GET", "/api/v1/session", {});
  } catch (cause) {
    const isWaiting = cause instanceof Problem && cause.code === "second_factor_needed";
    if (isWaiting && Array.isArray(cause.body.ways)) return cause.body.ways.map(String);
  }
  return [];
}

export const waitingWaysQuery = () =>
  queryOptions({ queryKey: queryKeys.waitingWays, queryFn: readWaitingWays, retry: false });

/** A code, or what the browser returned for a passkey. */
type Factor = { code: string } | { credential: Record<string, unknown> };

const finishSignIn = (body: Factor) => send("POST", "/api/v1/session/second-factor", { body });

export const useFinishByCode = () =>
  useApiMutation((code: string) => finishSignIn({ code }), [queryKeys.session]);

export const useFinishByPasskey = () =>
  useApiMutation(async () => {
    const { public_key } = await send("POST", "/api/v1/session/second-factor/options", {});
    return finishSignIn({ credential: await readPasskey(public_key) });
  }, [queryKeys.session]);

export const usePasskeySignIn = () =>
  useApiMutation(async () => {
    const { public_key } = await send("POST", "/api/v1/session/passkey/options", {});
    const credential = await readPasskey(public_key);
    return send("POST", "/api/v1/session/passkey", { body: { credential } });
  }, [queryKeys.session]);

/** Proves that the user of the session is present. */
export const prove = (body: Factor | { password: string }) =>
  send("POST", "/api/v1/session/proof", { body });

export async function proveByPasskey() {
  const { public_key } = await send("POST", "/api/v1/session/proof/options", {});
  return prove({ credential: await readPasskey(public_key) });
}

export const secondFactorsQuery = () =>
  queryOptions({
    queryKey: queryKeys.secondFactors,
    queryFn: ({ signal }) => send("GET", "/api/v1/account/second-factors", { signal }),
  });

const CHANGED = [queryKeys.secondFactors, queryKeys.session];

export const useBeginApp = () =>
  useApiMutation(() => send("POST", "/api/v1/account/second-factors/app/secret", {}));

export const useAddApp = () =>
  useApiMutation(
    (code: string) => send("POST", "/api/v1/account/second-factors/app", { body: { code } }),
    CHANGED,
  );

export const useRemoveApp = () =>
  useApiMutation(() => send("DELETE", "/api/v1/account/second-factors/app", {}), CHANGED);

export const useAddPasskey = () =>
  useApiMutation(async (name: string) => {
    const { public_key } = await send(
      "POST",
      "/api/v1/account/second-factors/passkeys/options",
      {},
    );
    const credential = await createPasskey(public_key);
    return send("POST", "/api/v1/account/second-factors/passkeys", { body: { name, credential } });
  }, CHANGED);

export const useRemovePasskey = () =>
  useApiMutation(
    (passkey_id: string) =>
      send("DELETE", "/api/v1/account/second-factors/passkeys/{passkey_id}", {
        path: { passkey_id },
      }),
    CHANGED,
  );

export const useRenewCodes = () =>
  useApiMutation(() => send("POST", "/api/v1/account/second-factors/recovery-codes", {}), CHANGED);

/** Those of another user, for an administrator. */
export const userFactorsQuery = (username: string) =>
  queryOptions({
    queryKey: queryKeys.userFactors(username),
    queryFn: ({ signal }) =>
      send("GET", "/api/v1/users/{username}/second-factors", { path: { username }, signal }),
  });

/** An administrator's help for a user who lost the device. */
export const useRemoveFactorsOf = (username: string) =>
  useApiMutation(
    () => send("DELETE", "/api/v1/users/{username}/second-factors", { path: { username } }),
    [queryKeys.users],
  );
