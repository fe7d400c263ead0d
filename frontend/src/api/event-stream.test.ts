// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HEARTBEAT_TIMEOUT_MS, openEventStream, type StreamState } from "./event-stream";

/** An EventSource of which nothing is heard but what a test says. */
class Silent extends EventTarget {
  static readonly CLOSED = 2;
  static made: Silent[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  constructor(readonly url: string) {
    super();
    Silent.made.push(this);
  }
  close() {
    this.readyState = Silent.CLOSED;
  }
}

const newest = () => Silent.made.at(-1)!;
let states: StreamState[];
let lostForMs: number;
let close: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", Silent);
  Silent.made = [];
  states = [];
  close = openEventStream(
    () => undefined,
    (state, sinceMs) => {
      states.push(state);
      lostForMs = sinceMs;
    },
  );
});

afterEach(() => {
  close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a stream that stops sending", () => {
  it("test_live__no_beat_for_long__lost_and_opened_again", () => {
    newest().onopen?.();
    vi.advanceTimersByTime(HEARTBEAT_TIMEOUT_MS);
    expect(states).toEqual(["connecting", "live", "lost"]);
    expect(lostForMs).toBe(HEARTBEAT_TIMEOUT_MS);
    expect(Silent.made.map((source) => source.readyState)).toEqual([Silent.CLOSED, 0]);
    newest().onopen?.();
    expect(states.at(-1)).toBe("live");
  });

  it("test_live__beats_and_nothing_else__stays_live", () => {
    newest().onopen?.();
    for (let beat = 0; beat < 6; beat++) {
      vi.advanceTimersByTime(HEARTBEAT_TIMEOUT_MS - 1);
      newest().dispatchEvent(new Event("heartbeat"));
    }
    expect(states.at(-1)).toBe("live");
    expect(Silent.made).toHaveLength(1);
  });

  it("test_live__never_answered_at_all__tried_again", () => {
    vi.advanceTimersByTime(3 * HEARTBEAT_TIMEOUT_MS);
    expect(states.at(-1)).toBe("lost");
    expect(Silent.made).toHaveLength(4);
  });

  it("test_live__ended_for_good__opened_again_once", () => {
    newest().readyState = Silent.CLOSED;
    newest().onerror?.();
    vi.advanceTimersByTime(HEARTBEAT_TIMEOUT_MS - 1);
    expect(Silent.made).toHaveLength(2);
  });

  it("test_live__page_left__nothing_is_opened_again", () => {
    close();
    vi.advanceTimersByTime(3 * HEARTBEAT_TIMEOUT_MS);
    expect(Silent.made).toHaveLength(1);
  });
});
