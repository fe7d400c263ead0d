import type { CurrentUser } from "@/api/types";
import { can, type Permission } from "@/domain/permissions";

export interface NavItem {
  to: "/links" | "/runs" | "/waiting" | "/audit" | "/lookup" | "/clusters" | "/lab";
  label: string;
  /** Further words by which the command palette finds the page. */
  also: string;
  key: string;
  needs?: Permission;
  demoOnly?: boolean;
}

/** The main pages, in the order of the sidebar; `g` + key jumps there. */
export const NAVIGATION: readonly NavItem[] = [
  { to: "/links", label: "Links", also: "home topology replication", key: "l" },
  { to: "/runs", label: "Runs", also: "history relocations", key: "r" },
  { to: "/waiting", label: "Approvals", also: "waiting pending approve confirm review", key: "w" },
  { to: "/audit", label: "Audit", also: "log record trail user", key: "a" },
  { to: "/lookup", label: "Lookup", also: "xid seqno position binlog", key: "x", needs: "lookup" },
  { to: "/clusters", label: "Clusters", also: "nodes facts create", key: "c" },
  {
    to: "/lab",
    label: "Lab",
    also: "kill freeze load verify demo",
    key: "b",
    needs: "lab",
    demoOnly: true,
  },
];

/** The pages that this user may open here. */
export const navigationFor = (user: CurrentUser): NavItem[] =>
  NAVIGATION.filter(
    (item) => (!item.needs || can(user.role, item.needs)) && (!item.demoOnly || user.demo),
  );
