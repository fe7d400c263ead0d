import { ActionIcon } from "@mantine/core";
import { IconMenu2 } from "@tabler/icons-react";
import { useLocation } from "@tanstack/react-router";
import { lazy, useRef, useState } from "react";
import type { CurrentUser } from "@/api/types";
import { navigationFor } from "@/app/navigation";
import { AppLink } from "@/components/AppLink";
import { Deferred } from "@/ui/Deferred";
import { Logo } from "@/ui/Logo";
import css from "./AppLayout.module.css";
import { CommandPaletteButton } from "./CommandPaletteButton";
import { usePendingCount } from "./PendingApprovalCount";

const NavigationDrawer = lazy(() => import("./NavigationDrawer"));

/** Leads to what waits for a second user, from every page. */
function PendingApprovalsLink() {
  const count = usePendingCount();
  if (count === 0) return null;
  return (
    <AppLink to="/waiting" className={css.waiting}>
      {count}
      <span className="sr-only"> pending approvals</span>
    </AppLink>
  );
}

/** Replaces the sidebar on a narrow screen: the menu behind it holds the same. */
export function TopBar({ user }: { user: CurrentUser }) {
  const { pathname } = useLocation();
  const [isUsed, setUsed] = useState(false);
  // Where it was opened: it closes with the page, whatever led away from it.
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isOpen = openedAt === pathname;
  const button = useRef<HTMLButtonElement>(null);
  const items = navigationFor(user);
  const open = () => {
    setUsed(true);
    setOpenedAt(pathname);
  };
  const close = () => {
    setOpenedAt(null);
    button.current?.focus();
  };
  return (
    <nav className={`${css.bar} no-print`} aria-label="Console">
      <ActionIcon
        ref={button}
        variant="subtle"
        color="gray"
        size={40}
        aria-label="Open menu"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={open}
      >
        <IconMenu2 size={22} />
      </ActionIcon>
      <AppLink to="/links" className={css.brand}>
        <Logo />
        Hawser
      </AppLink>
      <span className={css.space} />
      <PendingApprovalsLink />
      <CommandPaletteButton user={user} items={items} />
      {isUsed && (
        <Deferred>
          <NavigationDrawer user={user} items={items} isOpen={isOpen} close={close} />
        </Deferred>
      )}
    </nav>
  );
}
