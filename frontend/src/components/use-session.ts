import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "@/api/resources/session";
import type { CurrentUser } from "@/api/types";
import { can, type Permission } from "@/domain/permissions";

/** The person signed in; undefined while reading, null when nobody is. */
export function useCurrentUser(): CurrentUser | null | undefined {
  return useQuery(sessionQuery()).data;
}

export function useCan(ability: Permission): boolean {
  return can(useCurrentUser()?.role, ability);
}
