import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { openEventStream, type StreamEvent, type StreamState } from "@/api/event-stream";
import { serverNow } from "@/lib/server-clock";

interface Live {
  state: StreamState;
  /** Since when (epoch ms, the server's clock) the stream is in this state. */
  since: number;
}

const LiveContext = createContext<Live>({ state: "connecting", since: 0 });

export const useLiveUpdates = (): Live => useContext(LiveContext);

/** Which reads an event makes old. */
function queryKeysFor(event: StreamEvent): unknown[][] {
  const linkId = event.data.link_id;
  const runId = event.data.run_id;
  switch (event.type) {
    case "link.updated":
      return [["links"]];
    case "run.updated":
      return [["runs"], ["links"], ["history"], ["waiting"]];
    case "step.updated":
      return [["runs", runId]];
    case "event.raised":
      return [["history", linkId], ["lag", linkId], ["links"], ["waiting"]];
  }
}

/** Listens for the whole page, so that any number of panels cost one connection. */
export function LiveUpdatesProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [live, setLive] = useState<Live>({ state: "connecting", since: 0 });
  useEffect(
    () =>
      openEventStream(
        (event) => {
          for (const queryKey of queryKeysFor(event)) void client.invalidateQueries({ queryKey });
        },
        (state, sinceMs) =>
          setLive((was) => (was.state === state ? was : { state, since: serverNow() - sinceMs })),
      ),
    [client],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}
