import type { CurrentUser } from "@/api/types";
import { navigationFor } from "@/app/navigation";
import { AppLink } from "@/components/AppLink";
import { Logo } from "@/ui/Logo";
import css from "./AppLayout.module.css";
import { CommandPaletteButton } from "./CommandPaletteButton";
import { ComponentHealth } from "./ComponentHealth";
import { NavigationLinks } from "./NavigationLinks";
import { UserMenu } from "./UserMenu";

/** The pages of the console, the user menu and the state of Hawser's components. */
export function Sidebar({ user }: { user: CurrentUser }) {
  const items = navigationFor(user);
  return (
    <nav className={css.nav} aria-label="Console">
      <AppLink to="/links" className={css.brand}>
        <Logo />
        Hawser
      </AppLink>
      <CommandPaletteButton user={user} items={items} className={css.find ?? ""} />
      <NavigationLinks items={items} />
      <span className={css.space} />
      <UserMenu user={user} className={css.user ?? ""} />
      <ComponentHealth />
    </nav>
  );
}
