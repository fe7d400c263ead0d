import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useIsStale } from "./use-is-stale";

const T0 = Date.parse("2026-11-21T02:15:00.000Z");

/** The answers in the order in which they were rendered. */
function answers(ageAtRead: number | null) {
  const rendered: boolean[] = [];
  renderHook(() => rendered.push(useIsStale(ageAtRead, T0)));
  act(() => {
    vi.advanceTimersByTime(10_000);
  });
  return rendered;
}

beforeEach(() => vi.useFakeTimers({ now: T0 }));
afterEach(() => vi.useRealTimers());

describe("whether data is stale", () => {
  it("test_age__passes_the_limit__rendered_once_more", () =>
    expect(answers(1)).toEqual([false, true]));
  it("test_age__unknown__stale", () => expect(answers(null)).toEqual([true]));
});
