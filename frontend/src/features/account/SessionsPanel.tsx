import { useQuery } from "@tanstack/react-query";
import { commands } from "@/api/commands";
import { sessionsQuery } from "@/api/resources/sessions";
import type { Page, Session } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Panel } from "@/ui/Panel";
import { SessionList } from "./SessionList";

/** Where the person is signed in. */
export function SessionsPanel() {
  const query = useQuery(sessionsQuery());
  return (
    <Panel title="Your sessions">
      <QueryBoundary<Page<Session>> query={query} label="your sessions">
        {(page) => <SessionList sessions={page.results} end={commands.endSession} />}
      </QueryBoundary>
    </Panel>
  );
}
