import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { type LiveEvent, type LiveState, openLive } from "@/api/live";
import { serverNow } from "@/lib/time";

interface Live {
  state: LiveState;
  /** Since when (epoch ms, the server's clock) the stream is in this state. */
  since: number;
}

const LiveContext = createContext<Live>({ state: "connecting", since: 0 });

export const useLive = (): Live => useContext(LiveContext);

/** Which reads an event makes old. */
function staleKeys(event: LiveEvent): unknown[][] {
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
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [live, setLive] = useState<Live>({ state: "connecting", since: 0 });
  useEffect(
    () =>
      openLive(
        (event) => {
          for (const queryKey of staleKeys(event)) void client.invalidateQueries({ queryKey });
        },
        (state, sinceMs) =>
          setLive((was) => (was.state === state ? was : { state, since: serverNow() - sinceMs })),
      ),
    [client],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}
