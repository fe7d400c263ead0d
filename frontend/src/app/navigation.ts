import type { CurrentUser } from "@/api/types";
import { can, type Permission } from "@/domain/permissions";
import { PAGE_KEYS } from "@/domain/shortcuts";

export interface NavItem {
  to: keyof typeof PAGE_KEYS;
  label: string;
  /** Further words by which the command palette finds the page. */
  also: string;
  key: string;
  needs?: Permission;
  demoOnly?: boolean;
}

const page = (
  to: NavItem["to"],
  also: string,
  access: Pick<NavItem, "needs" | "demoOnly"> = {},
) => ({
  to,
  also,
  ...PAGE_KEYS[to],
  ...access,
});

/** The main pages, in the order of the sidebar; `g` + key jumps there. */
export const NAVIGATION: readonly NavItem[] = [
  page("/links", "home topology replication"),
  page("/runs", "relocations progress"),
  page("/incidents", "site lost many links sequence"),
  page("/history", "switches past export report"),
  page("/waiting", "waiting pending approve confirm review"),
  page("/audit", "log record trail user"),
  page("/lookup", "xid gtid seqno position binlog statement table", { needs: "lookup" }),
  page("/clusters", "nodes facts create"),
  page("/lab", "kill freeze load verify demo", { needs: "lab", demoOnly: true }),
  page(
    "/settings",
    "display time zone tokens sessions users roles webhooks destinations notifications",
  ),
];

/** The pages that this user may open here. */
export const navigationFor = (user: CurrentUser): NavItem[] =>
  NAVIGATION.filter(
    (item) => (!item.needs || can(user.permissions, item.needs)) && (!item.demoOnly || user.demo),
  );
