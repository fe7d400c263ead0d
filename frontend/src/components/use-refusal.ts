import type { Permission } from "@/domain/permissions";
import { useCan } from "./use-session";

const WHO: Partial<Record<Permission, string>> = {
  plan: "Only operators can do this.",
  run: "Only operators can do this.",
};

/** Why this user's role, everywhere or on this link, does not permit the change; null where it does. */
export function useRefusal(permission: Permission): string | null {
  return useCan(permission) ? null : (WHO[permission] ?? "Only administrators can do this.");
}
