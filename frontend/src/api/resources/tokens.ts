import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type { CreateTokenRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** The user's own tokens. */
export const tokensQuery = () =>
  queryOptions({
    queryKey: queryKeys.tokens,
    queryFn: ({ signal }) => send("GET", "/api/v1/tokens", { signal }),
  });

export const useCreateToken = () =>
  useApiMutation(
    (body: CreateTokenRequest) => send("POST", "/api/v1/tokens", { body }),
    [queryKeys.tokens],
  );

/** The old token stays valid for some time, so that what uses it can be changed. */
export const useRotateToken = () =>
  useApiMutation(
    ({ token_id, overlap_s }: { token_id: string; overlap_s: number }) =>
      send("POST", "/api/v1/tokens/{token_id}/rotate", { path: { token_id }, body: { overlap_s } }),
    [queryKeys.tokens],
  );

/** `isCompromised`: others may have used it, so that what it asked for and approved is withdrawn. */
export interface RevokedToken {
  id: string;
  isCompromised: boolean;
}

export const useRevokeToken = () =>
  useApiMutation(
    ({ id, isCompromised }: RevokedToken) =>
      send("DELETE", "/api/v1/tokens/{token_id}", {
        path: { token_id: id },
        query: { is_compromised: isCompromised },
      }),
    [queryKeys.tokens],
  );
