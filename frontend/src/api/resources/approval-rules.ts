import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import { withTimeout } from "../polling";
import { queryKeys } from "../query-keys";
import type { ApprovalRuleRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** How many persons must approve the runs of a link, and who may. */
export const approvalRuleQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.approvalRule(link_id),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/links/{link_id}/approval-rule", {
          params: { path: { link_id } },
          signal: withTimeout(signal),
        }),
      ),
  });

export const useUpdateApprovalRule = (link_id: string) =>
  useApiMutation(
    (body: ApprovalRuleRequest) =>
      unwrap(
        client.PUT("/api/v1/links/{link_id}/approval-rule", {
          params: { path: { link_id } },
          body,
        }),
      ),
    [queryKeys.approvalRule(link_id), queryKeys.pendingApprovals],
  );
