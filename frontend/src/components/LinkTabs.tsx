import type { Link } from "@/api/types";
import { Callout } from "@/ui/Callout";
import { AppLink } from "./AppLink";
import { EndMaintenance } from "./EndMaintenance";
import css from "./LinkTabs.module.css";
import tabs from "./PageTabs.module.css";
import { RetiredCallout } from "./RetiredCallout";
import { TimeUntil } from "./TimeUntil";

/** What concerns all pages of a link: that it is retired, or in maintenance. */
function LinkNotice({ link }: { link: Link }) {
  if (link.retired_at) return <RetiredCallout name={link.name} at={link.retired_at} />;
  if (!link.pause) return null;
  const { until, by, reason } = link.pause;
  return (
    <Callout
      tone="warn"
      title={
        <>
          Maintenance until <TimeUntil at={until} />
        </>
      }
      description={`By ${by}: ${reason || "no reason given"}. No webhook is called, and no operation starts automatically.`}
      actions={<EndMaintenance link={link} />}
    />
  );
}

const TABS = [
  { key: "now", label: "Overview", to: "/links/$linkId" },
  { key: "orphans", label: "Orphans", to: "/links/$linkId/orphans" },
  { key: "tables", label: "Tables", to: "/links/$linkId/tables" },
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
