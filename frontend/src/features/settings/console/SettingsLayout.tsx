import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { sessionQuery } from "@/api/resources/session";
import type { CurrentUser } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { PageHeader } from "@/components/PageHeader";
import css from "@/components/PageTabs.module.css";
import { QueryBoundary } from "@/components/QueryBoundary";
import { sectionsFor } from "./sections";

function Tabs({ user }: { user: CurrentUser }) {
  return (
    <nav className={`${css.tabs} no-print`} aria-label="Settings">
      {sectionsFor(user.permissions).map(({ to, label }) => (
        <AppLink
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          activeProps={{ "aria-current": "page" }}
          className={css.tab}
        >
          {label}
        </AppLink>
      ))}
    </nav>
  );
}

interface SettingsLayoutProps {
  title: string;
  children: (user: CurrentUser) => ReactNode;
}

/** A page of the console's settings, below its heading and the tabs of all of them. */
export function SettingsLayout({ title, children }: SettingsLayoutProps) {
  const session = useQuery(sessionQuery());
  return (
    <>
      <PageHeader title={title} />
      <QueryBoundary<CurrentUser | null> query={session} label="your session">
        {(user) => (
          <>
            <Tabs user={user} />
            <div className="stack">{children(user)}</div>
          </>
        )}
      </QueryBoundary>
    </>
  );
}
