import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { queryKeys } from "@/api/query-keys";
import { sessionQuery } from "@/api/resources/session";
import type { CurrentUser, LinkDetail, Plan, Run } from "@/api/types";
import { can, type Permission } from "@/domain/permissions";

/** No link lists these: they concern all of the console. */
const CONSOLE_WIDE = new Set<Permission>(["audit_users", "manage_users", "lab"]);

/** The signed-in user; undefined while the session is read, null without a session. */
export function useCurrentUser(): CurrentUser | null | undefined {
  return useQuery(sessionQuery()).data;
}

/** What the signed-in user may do on the link that the page is about; undefined where it is about none, or not read yet. */
function useLinkPermissions(): readonly string[] | undefined {
  const { linkId, planId, runId } = useParams({ strict: false });
  const client = useQueryClient();
  const of =
    linkId ??
    (runId && client.getQueryData<Run>(queryKeys.run(runId))?.link_id) ??
    (planId && client.getQueryData<Plan>(queryKeys.plan(planId))?.link_id);
  const key = queryKeys.link(of ?? "");
  return useQuery<LinkDetail>({ queryKey: key, enabled: false }).data?.permissions;
}

/** Whether the signed-in user has the permission, on the link of the page where there is one. */
export function useCan(permission: Permission): boolean {
  const onLink = useLinkPermissions();
  const user = useCurrentUser();
  if (CONSOLE_WIDE.has(permission)) return can(user?.permissions, permission);
  return can(user?.permissions, permission) && (onLink === undefined || can(onLink, permission));
}
