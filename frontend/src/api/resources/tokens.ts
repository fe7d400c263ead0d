import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { queryKeys } from "../query-keys";
import type { CreateTokenRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** The user's own tokens. */
export const tokensQuery = () =>
  queryOptions({
    queryKey: queryKeys.tokens,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/tokens", { signal })),
  });

export const useCreateToken = () =>
  useApiMutation(
    (body: CreateTokenRequest) => unwrap(client.POST("/api/v1/tokens", { body })),
    [queryKeys.tokens],
  );

/** The old token stays valid for some time, so that what uses it can be changed. */
export const useRotateToken = () =>
  useApiMutation(
    ({ token_id, overlap_s }: { token_id: string; overlap_s: number }) =>
      unwrap(
        client.POST("/api/v1/tokens/{token_id}/rotate", {
          params: { path: { token_id } },
          body: { overlap_s },
        }),
      ),
    [queryKeys.tokens],
  );

export const useRevokeToken = () =>
  useApiMutation(
    (token_id: string) =>
      unwrap(client.DELETE("/api/v1/tokens/{token_id}", { params: { path: { token_id } } })),
    [queryKeys.tokens],
  );
