import { useQuery } from "@tanstack/react-query";
import { pushQuery } from "@/api/resources/push";
import type { Push } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Panel } from "@/ui/Panel";
import { PushBrowserList } from "./PushBrowserList";

/** Where the user receives messages while the console is closed. */
export function PushBrowsersPanel({ ownId }: { ownId: string | null }) {
  const query = useQuery(pushQuery());
  return (
    <Panel title="Your browsers" aside="messages while the console is closed">
      <QueryBoundary<Push> query={query} label="your browsers">
        {({ subscriptions }) => <PushBrowserList browsers={subscriptions} ownId={ownId} />}
      </QueryBoundary>
    </Panel>
  );
}
