import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { linksQuery } from "@/api/resources/links";
import { pendingApprovalsQuery } from "@/api/resources/pending-approvals";
import type { CurrentUser } from "@/api/types";
import { CommandPaletteButton } from "@/app/layout/CommandPaletteButton";
import { ComponentHealth } from "@/app/layout/ComponentHealth";
import { UserMenu } from "@/app/layout/UserMenu";
import { NAVIGATION } from "@/app/navigation";
import { AppLink } from "@/components/AppLink";
import { pendingCount } from "@/domain/pending-approvals";
import { can } from "@/domain/permissions";
import { Logo } from "@/ui/Logo";
import css from "./AppLayout.module.css";

/** The number of pending approvals; nothing where there are none. */
function PendingApprovalCount() {
  const { data } = useQuery(pendingApprovalsQuery());
  const count = data ? pendingCount(data) : 0;
  if (count === 0) return null;
  return (
    <span className={css.waiting}>
      {count}
      <span className="sr-only"> pending</span>
    </span>
  );
}

/** The pages of the console, the user menu and the state of Hawser's components. */
export function Sidebar({ user }: { user: CurrentUser }) {
  const { pathname } = useLocation();
  const { data } = useQuery(linksQuery());
  const items = NAVIGATION.filter(
    (item) => (!item.needs || can(user.role, item.needs)) && (!item.demoOnly || user.demo),
  );
  const isHere = (to: string) =>
    pathname.startsWith(to) || (to === "/links" && pathname.startsWith("/plans"));
  return (
    <nav className={css.nav} aria-label="Console">
      <AppLink to="/links" className={css.brand}>
        <Logo />
        Hawser
      </AppLink>
      <CommandPaletteButton items={items} className={css.find ?? ""} />
      {items.map((item) => (
        <AppLink
          key={item.to}
          to={item.to}
          className={css.item}
          aria-current={isHere(item.to) ? "page" : undefined}
        >
          {item.label}
          {item.to === "/links" && data && <span>{data.results.length}</span>}
          {item.to === "/waiting" && <PendingApprovalCount />}
        </AppLink>
      ))}
      <span className={css.space} />
      <UserMenu user={user} className={css.user ?? ""} />
      <ComponentHealth />
    </nav>
  );
}
