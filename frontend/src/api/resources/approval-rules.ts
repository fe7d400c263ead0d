import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "../query-keys";
import { reading, send } from "../send";
import type { ApprovalRuleRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

/** How many persons must approve the runs of a link, and who may. */
export const approvalRuleQuery = (link_id: string) =>
  queryOptions({
    queryKey: queryKeys.approvalRule(link_id),
    queryFn: reading("/api/v1/links/{link_id}/approval-rule", { path: { link_id } }),
  });

export const useUpdateApprovalRule = (link_id: string) =>
  useApiMutation(
    (body: ApprovalRuleRequest) =>
      send("PUT", "/api/v1/links/{link_id}/approval-rule", { path: { link_id }, body }),
    [queryKeys.approvalRule(link_id), queryKeys.pendingApprovals],
  );
