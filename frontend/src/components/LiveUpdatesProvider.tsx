import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { batchedInvalidation } from "@/api/batched-invalidation";
import { openEventStream, type StreamEvent, type StreamState } from "@/api/event-stream";
import { queryKeys } from "@/api/query-keys";
import { answerServiceWorker } from "@/lib/browser-notifications";
import { serverNow } from "@/lib/server-clock";
import { notifyOf } from "./notification-choice";

/** Its code is loaded later than the page: nothing is shown by it. */
const renewPush = async () => (await import("./push-registration")).renewPush();

interface Live {
  state: StreamState;
  /** When the stream entered this state: epoch ms by the server clock. */
  since: number;
}

const LiveContext = createContext<Live>({ state: "connecting", since: 0 });

/** The state of the event stream. */
export const useLiveUpdates = (): Live => useContext(LiveContext);

/** What shows a link: its own page, and the lists of all links. */
const linkKeys = (linkId: string): QueryKey[] => [
  queryKeys.fleet,
  queryKeys.linkList,
  queryKeys.link(linkId),
];

/** The queries that an event makes out of date. */
function queryKeysFor(event: StreamEvent): readonly QueryKey[] {
  const linkId = String(event.data.link_id);
  const runId = String(event.data.run_id);
  switch (event.type) {
    case "link.updated":
      return linkKeys(linkId);
    case "run.updated":
      return [
        queryKeys.runs,
        ...linkKeys(linkId),
        queryKeys.histories,
        queryKeys.pendingApprovals,
        queryKeys.incidents,
      ];
    case "step.updated":
      return [queryKeys.run(runId)];
    case "incident.updated":
      return [queryKeys.incidents];
    case "event.raised":
      return [
        queryKeys.history(linkId),
        queryKeys.lag(linkId),
        queryKeys.tableComparisons(linkId),
        ...linkKeys(linkId),
        queryKeys.pendingApprovals,
      ];
  }
}

/** Opens the event stream for the whole page, so that all panels share one connection. */
export function LiveUpdatesProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [live, setLive] = useState<Live>({ state: "connecting", since: 0 });
  // Without the stream the page gets no events, so the worker shows them.
  useEffect(() => (live.state === "live" ? answerServiceWorker() : undefined), [live.state]);
  useEffect(() => {
    renewPush().catch(() => undefined);
    const outdated = batchedInvalidation(client);
    const close = openEventStream(
      (event) => {
        outdated.add(queryKeysFor(event));
        notifyOf(event);
      },
      (state, sinceMs) =>
        setLive((was) => (was.state === state ? was : { state, since: serverNow() - sinceMs })),
    );
    return () => {
      close();
      outdated.stop();
    };
  }, [client]);
  return <LiveContext value={live}>{children}</LiveContext>;
}
