import type { Link } from "@/api/types";
import { AppLink } from "./AppLink";
import css from "./LinkTabs.module.css";

const TABS = [
  { key: "now", label: "Now", tail: "" },
  { key: "orphans", label: "Orphans", tail: "/orphans" },
  { key: "rehearsals", label: "Rehearsals", tail: "/rehearsals" },
  { key: "settings", label: "Settings", tail: "/settings" },
] as const;

/** The pages of one link. */
export function LinkTabs({ link, at }: { link: Link; at: (typeof TABS)[number]["key"] }) {
  return (
    <nav className={`${css.tabs} no-print`} aria-label={`Pages of ${link.name}`}>
      {TABS.map((tab) => (
        <AppLink
          key={tab.key}
          to={`/links/${link.id}${tab.tail}`}
          className={css.tab}
          aria-current={tab.key === at ? "page" : undefined}
        >
          {tab.label}
        </AppLink>
      ))}
    </nav>
  );
}
