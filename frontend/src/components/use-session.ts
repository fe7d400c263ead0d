import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "@/api/resources/session";
import type { CurrentUser } from "@/api/types";
import { can, type Permission } from "@/domain/permissions";

/** The signed-in user; undefined while the session is read, null without a session. */
export function useCurrentUser(): CurrentUser | null | undefined {
  return useQuery(sessionQuery()).data;
}

/** Whether the signed-in user has the permission. */
export function useCan(permission: Permission): boolean {
  return can(useCurrentUser()?.role, permission);
}
