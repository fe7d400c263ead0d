import { useQuery } from "@tanstack/react-query";
import { sessionsQuery, useEndSession } from "@/api/resources/sessions";
import type { Page, Session } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Panel } from "@/ui/Panel";
import { SettingsLayout } from "../console/SettingsLayout";
import { SessionList } from "./SessionList";

/** The browsers in which the user is signed in. */
function SessionsPanel() {
  const query = useQuery(sessionsQuery());
  const ending = useEndSession();
  return (
    <Panel title="Your sessions">
      <QueryBoundary<Page<Session>> query={query} label="your sessions">
        {(page) => <SessionList sessions={page.results} end={ending.mutateAsync} />}
      </QueryBoundary>
    </Panel>
  );
}

/** The browsers in which the user is signed in. */
export function SessionsPage() {
  return <SettingsLayout title="Sessions">{() => <SessionsPanel />}</SettingsLayout>;
}
