import { Drawer } from "@mantine/core";
import type { CurrentUser } from "@/api/types";
import type { NavItem } from "@/app/navigation";
import css from "./AppLayout.module.css";
import { ComponentHealth } from "./ComponentHealth";
import { NavigationLinks } from "./NavigationLinks";
import { UserMenu } from "./UserMenu";

interface NavigationDrawerProps {
  user: CurrentUser;
  items: readonly NavItem[];
  isOpen: boolean;
  close: () => void;
}

/** What the sidebar holds, as a menu over the page; the top bar loads it on its first use. */
export default function NavigationDrawer({ user, items, isOpen, close }: NavigationDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={close}
      title="Menu"
      // The menu may have been open when it was mounted: the top bar returns the focus.
      returnFocus={false}
      size={280}
      padding="sm"
      closeButtonProps={{ "aria-label": "Close menu" }}
    >
      <nav className={css.drawer} aria-label="Pages">
        <NavigationLinks items={items} onFollow={close} />
        <UserMenu user={user} className={css.user ?? ""} />
        <ComponentHealth />
      </nav>
    </Drawer>
  );
}
