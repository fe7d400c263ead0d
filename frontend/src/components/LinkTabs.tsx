import type { Link } from "@/api/types";
import { AppLink } from "./AppLink";
import { LinkNotice } from "./LinkNotice";
import css from "./LinkTabs.module.css";
import tabs from "./PageTabs.module.css";

const TABS = [
  { key: "now", label: "Overview", to: "/links/$linkId" },
  { key: "orphans", label: "Orphans", to: "/links/$linkId/orphans" },
  { key: "rehearsals", label: "Rehearsals", to: "/links/$linkId/rehearsals" },
  { key: "advice", label: "Advice", to: "/links/$linkId/advice" },
  { key: "network", label: "Network", to: "/links/$linkId/network" },
  { key: "settings", label: "Settings", to: "/links/$linkId/settings" },
] as const;

/** A retired link has no settings any more, and nothing is advised on it. */
const tabsOf = (link: Link) =>
  link.retired_at === null
    ? TABS
    : TABS.filter((tab) => tab.key !== "settings" && tab.key !== "advice");

/** The pages of one link, and below them what concerns all of them. */
export function LinkTabs({ link, at }: { link: Link; at: (typeof TABS)[number]["key"] }) {
  return (
    <>
      <nav className={`${tabs.tabs} no-print`} aria-label={`Pages of ${link.name}`}>
        {tabsOf(link).map((tab) => (
          <AppLink
            key={tab.key}
            to={tab.to}
            params={{ linkId: link.id }}
            activeOptions={{ exact: true }}
            className={tabs.tab}
            aria-current={tab.key === at ? "page" : undefined}
          >
            {tab.label}
          </AppLink>
        ))}
      </nav>
      <div className={css.notice}>
        <LinkNotice link={link} />
      </div>
    </>
  );
}
