/** The event stream: one EventSource for the page, resumed by the browser with Last-Event-ID. */
import { API } from "./client";

export type StreamState = "connecting" | "live" | "lost";

const TYPES = [
  "link.updated",
  "run.updated",
  "step.updated",
  "incident.updated",
  "event.raised",
] as const;

export interface StreamEvent {
  type: (typeof TYPES)[number];
  data: Record<string, unknown>;
}

const RETRY_MS = 2000;
/** The server says "heartbeat" every 10 s. A connection may stay open for hours without a server behind it. */
export const HEARTBEAT_TIMEOUT_MS = 25_000;

/**
 * Open the stream; the answer closes it. A stream the server ended for good, or that stopped sending, is opened again; a state
 * is sentences with how long it has been so.
 */
export function openEventStream(
  onEvent: (event: StreamEvent) => void,
  onState: (state: StreamState, sinceMs: number) => void,
): () => void {
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  /** Whatever came, a refusal too: the other end is there. */
  const resetHeartbeat = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      source.close();
      onState("lost", HEARTBEAT_TIMEOUT_MS);
      open();
    }, HEARTBEAT_TIMEOUT_MS);
  };
  const open = () => {
    source = new EventSource(`${API}/events`);
    resetHeartbeat();
    source.onopen = () => {
      resetHeartbeat();
      onState("live", 0);
    };
    source.onerror = () => {
      if (closed) return;
      resetHeartbeat();
      onState("lost", 0);
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS);
    };
    source.addEventListener("heartbeat", resetHeartbeat);
    for (const type of TYPES)
      source.addEventListener(type, (message: MessageEvent<string>) => {
        resetHeartbeat();
        onEvent({ type, data: JSON.parse(message.data) as Record<string, unknown> });
      });
  };
  onState("connecting", 0);
  open();
  return () => {
    closed = true;
    clearTimeout(retry);
    clearTimeout(silence);
    source.close();
  };
}
