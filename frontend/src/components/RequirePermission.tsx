import type { ReactNode } from "react";
import type { Permission } from "@/domain/permissions";
import { Callout } from "@/ui/Callout";
import { useCan } from "./use-session";

interface RequirePermissionProps {
  permission: Permission;
  /** What the user cannot do without it, as an infinitive. */
  action: string;
  children: ReactNode;
}

/** Shows its content to users whose role allows the action, and says so to the others. */
export function RequirePermission({ permission, action, children }: RequirePermissionProps) {
  if (useCan(permission)) return <>{children}</>;
  return (
    <Callout
      tone="neutral"
      title={`Your role cannot ${action}.`}
      description="Ask an administrator for a role that permits it."
    />
  );
}
