import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { SLOW_MS, withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import { useApiMutation } from "../use-api-mutation";

/** Runs, changes and exceptions that need another user's decision. */
export const pendingApprovalsQuery = () =>
  queryOptions({
    queryKey: queryKeys.pendingApprovals,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/waiting", { signal: withTimeout(signal) })),
    refetchInterval: SLOW_MS,
  });

const TOUCHED = [
  queryKeys.pendingApprovals,
  queryKeys.users,
  queryKeys.links,
  queryKeys.tokens,
] as const;

const onChange = (change_id: string, comment: string) => ({
  params: { path: { change_id } },
  body: { comment },
});

export const useConfirmChange = (change_id: string) =>
  useApiMutation(
    (comment: string) =>
      unwrap(
        client.POST("/api/v1/protected-changes/{change_id}/confirm", onChange(change_id, comment)),
      ),
    TOUCHED,
  );

export const useRejectChange = (change_id: string) =>
  useApiMutation(
    (comment: string) =>
      unwrap(
        client.POST("/api/v1/protected-changes/{change_id}/reject", onChange(change_id, comment)),
      ),
    TOUCHED,
  );
