import { UnstyledButton } from "@mantine/core";
import { lazy, useState } from "react";
import type { CurrentUser } from "@/api/types";
import { Deferred } from "@/ui/Deferred";

const OpenedUserMenu = lazy(() => import("./OpenedUserMenu"));

/** The signed-in user; the menu behind it is loaded on the first click. */
export function UserMenu({ user, className }: { user: CurrentUser; className: string }) {
  const [isRequested, setRequested] = useState(false);
  const trigger = (
    <UnstyledButton
      className={className}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setRequested(true)}
    >
      {user.username}
      <small>{user.role}</small>
    </UnstyledButton>
  );
  if (!isRequested) return trigger;
  return (
    <Deferred fallback={trigger}>
      <OpenedUserMenu user={user} className={className} />
    </Deferred>
  );
}
