import { ActionIcon } from "@mantine/core";
import { IconMenu2 } from "@tabler/icons-react";
import { lazy, Suspense, useRef, useState } from "react";
import type { CurrentUser } from "@/api/types";
import { navigationFor } from "@/app/navigation";
import { AppLink } from "@/components/AppLink";
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
  const [drawer, setDrawer] = useState<"unused" | "open" | "closed">("unused");
  const button = useRef<HTMLButtonElement>(null);
  const items = navigationFor(user);
  const close = () => {
    setDrawer("closed");
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
        aria-expanded={drawer === "open"}
        onClick={() => setDrawer("open")}
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
      {drawer !== "unused" && (
        <Suspense fallback={null}>
          <NavigationDrawer user={user} items={items} isOpen={drawer === "open"} close={close} />
        </Suspense>
      )}
    </nav>
  );
}
