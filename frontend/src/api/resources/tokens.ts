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

export const useRevokeToken = () =>
  useApiMutation(
    (token_id: string) =>
      unwrap(client.DELETE("/api/v1/tokens/{token_id}", { params: { path: { token_id } } })),
    [queryKeys.tokens],
  );
