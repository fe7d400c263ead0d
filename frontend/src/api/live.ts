/** The event stream: one EventSource for the page, resumed by the browser with Last-Event-ID. */
import { API } from "./http";

export type LiveState = "connecting" | "live" | "lost";

export interface LiveEvent {
  type: "link.updated" | "run.updated" | "step.updated" | "event.raised";
  data: Record<string, unknown>;
}

const TYPES = ["link.updated", "run.updated", "step.updated", "event.raised"] as const;
const RETRY_MS = 2000;
/** The server says "heartbeat" every 10 s. A connection may stand for hours with nobody at its other end. */
export const SILENCE_MS = 25_000;

/**
 * Open the stream; the answer closes it. A stream the server ended for good, or that fell silent, is opened again; a state
 * is told with how long it has been so.
 */
export function openLive(
  onEvent: (event: LiveEvent) => void,
  onState: (state: LiveState, sinceMs: number) => void,
): () => void {
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  /** Whatever came, a refusal too: the other end is there. */
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      source.close();
      onState("lost", SILENCE_MS);
      open();
    }, SILENCE_MS);
  };
  const open = () => {
    source = new EventSource(`${API}/events`);
    heard();
    source.onopen = () => {
      heard();
      onState("live", 0);
    };
    source.onerror = () => {
      if (closed) return;
      heard();
      onState("lost", 0);
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS);
    };
    source.addEventListener("heartbeat", heard);
    for (const type of TYPES)
      source.addEventListener(type, (message: MessageEvent<string>) => {
        heard();
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
