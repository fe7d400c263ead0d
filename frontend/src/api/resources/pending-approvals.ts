import { queryOptions } from "@tanstack/react-query";
import { SLOW_MS } from "../polling";
import { queryKeys } from "../query-keys";
import { reading, send } from "../send";
import { useApiMutation } from "../use-api-mutation";

/** Runs, changes and exceptions that need another user's decision. */
export const pendingApprovalsQuery = () =>
  queryOptions({
    queryKey: queryKeys.pendingApprovals,
    queryFn: reading("/api/v1/waiting", {}),
    refetchInterval: SLOW_MS,
  });

const TOUCHED = [
  queryKeys.pendingApprovals,
  queryKeys.users,
  queryKeys.links,
  queryKeys.tokens,
] as const;

const onChange = (change_id: string, comment: string) => ({
  path: { change_id },
  body: { comment },
});

export const useConfirmChange = (change_id: string) =>
  useApiMutation(
    (comment: string) =>
      send("POST", "/api/v1/protected-changes/{change_id}/confirm", onChange(change_id, comment)),
    TOUCHED,
  );

export const useRejectChange = (change_id: string) =>
  useApiMutation(
    (comment: string) =>
      send("POST", "/api/v1/protected-changes/{change_id}/reject", onChange(change_id, comment)),
    TOUCHED,
  );
