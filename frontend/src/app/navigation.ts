import type { Permission } from "@/domain/permissions";

export interface NavItem {
  to: "/links" | "/runs" | "/waiting" | "/audit" | "/lookup" | "/clusters" | "/lab";
  label: string;
  /** Words the palette also finds it by. */
  also: string;
  key: string;
  needs?: Permission;
  demoOnly?: boolean;
}

/** The main pages, in the order of the sidebar; `g` + key jumps there. */
export const NAVIGATION: readonly NavItem[] = [
  { to: "/links", label: "Links", also: "home topology replication", key: "l" },
  { to: "/runs", label: "Runs", also: "history relocations", key: "r" },
  { to: "/waiting", label: "Waiting", also: "approve confirm review second person", key: "w" },
  { to: "/audit", label: "Audit", also: "record trail who when", key: "a" },
  { to: "/lookup", label: "Lookup", also: "xid seqno position binlog", key: "x", needs: "lookup" },
  { to: "/clusters", label: "Clusters", also: "nodes facts register", key: "c" },
  {
    to: "/lab",
    label: "Lab",
    also: "kill freeze load verdict demo",
    key: "b",
    needs: "lab",
    demoOnly: true,
  },
];
