import { lazy, Suspense, useState } from "react";
import type { CurrentUser } from "@/api/types";

const OpenedUserMenu = lazy(() => import("./OpenedUserMenu"));

/** The signed-in user; the menu behind it is loaded on the first click. */
export function UserMenu({ me, className }: { me: CurrentUser; className: string }) {
  const [isRequested, setRequested] = useState(false);
  const trigger = (
    <button
      type="button"
      className={className}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setRequested(true)}
    >
      {me.username}
      <small>{me.role}</small>
    </button>
  );
  if (!isRequested) return trigger;
  return (
    <Suspense fallback={trigger}>
      <OpenedUserMenu me={me} className={className} />
    </Suspense>
  );
}
