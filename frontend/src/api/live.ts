/** The event stream: one EventSource for the page, resumed by the browser with Last-Event-ID. */
import { API } from "./http";

export type LiveState = "connecting" | "live" | "lost";

export interface LiveEvent {
  type: "link.updated" | "run.updated" | "step.updated" | "event.raised";
  data: Record<string, unknown>;
}

const TYPES = ["link.updated", "run.updated", "step.updated", "event.raised"] as const;
const RETRY_MS = 2000;

/** Open the stream; the answer closes it. A stream the server ended for good is opened again. */
export function openLive(
  onEvent: (event: LiveEvent) => void,
  onState: (state: LiveState) => void,
): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const open = () => {
    source = new EventSource(`${API}/events`);
    source.onopen = () => onState("live");
    source.onerror = () => {
      if (closed) return;
      onState("lost");
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, RETRY_MS);
    };
    for (const type of TYPES)
      source.addEventListener(type, (message: MessageEvent<string>) => {
        onEvent({ type, data: JSON.parse(message.data) as Record<string, unknown> });
      });
  };
  onState("connecting");
  open();
  return () => {
    closed = true;
    clearTimeout(timer);
    source.close();
  };
}
