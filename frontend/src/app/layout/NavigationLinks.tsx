import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { fleetQuery } from "@/api/resources/fleet";
import type { NavItem } from "@/app/navigation";
import { AppLink } from "@/components/AppLink";
import css from "./AppLayout.module.css";
import { PendingApprovalCount } from "./PendingApprovalCount";

interface NavigationLinksProps {
  items: readonly NavItem[];
  onFollow?: (() => void) | undefined;
}

/** The main pages as links, with the one that is open marked. */
export function NavigationLinks({ items, onFollow }: NavigationLinksProps) {
  const { pathname } = useLocation();
  const { data } = useQuery(fleetQuery());
  const isHere = (to: string) =>
    pathname.startsWith(to) || (to === "/links" && pathname.startsWith("/plans"));
  return items.map((item) => (
    <AppLink
      key={item.to}
      to={item.to}
      className={css.item}
      aria-current={isHere(item.to) ? "page" : undefined}
      onClick={onFollow}
    >
      {item.label}
      {item.to === "/links" && data && <span>{data.results.length}</span>}
      {item.to === "/waiting" && <PendingApprovalCount />}
    </AppLink>
  ));
}
