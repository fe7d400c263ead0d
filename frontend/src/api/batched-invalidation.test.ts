import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { batchedInvalidation } from "./batched-invalidation";
import { queryKeys } from "./query-keys";

let client: QueryClient;
let read: (readonly unknown[])[];

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
  read = [];
  vi.spyOn(client, "invalidateQueries").mockImplementation(({ queryKey } = {}) => {
    if (queryKey) read.push(queryKey);
    return Promise.resolve();
  });
});
afterEach(() => vi.useRealTimers());

const readsOf = (key: readonly unknown[]) => read.filter((entry) => entry === key).length;

it("test_batch__fifty_events_a_second_for_ten_seconds__rows_read_once_a_second", () => {
  const batch = batchedInvalidation(client);
  const link = queryKeys.link("l_1");
  for (let i = 0; i < 500; i += 1) {
    batch.add([queryKeys.fleet, link]);
    vi.advanceTimersByTime(20);
  }
  expect(readsOf(queryKeys.fleet)).toBeGreaterThanOrEqual(9);
  expect(readsOf(queryKeys.fleet)).toBeLessThanOrEqual(11);
  expect(read.length).toBeLessThanOrEqual(55);
});

it("test_batch__one_event__read_at_once", () => {
  const batch = batchedInvalidation(client);
  batch.add([queryKeys.runs]);
  vi.advanceTimersByTime(1);
  expect(readsOf(queryKeys.runs)).toBe(1);
});

it("test_batch__event_during_a_read__not_cancelled_and_read_once_more_afterwards", async () => {
  const batch = batchedInvalidation(client);
  let answer: (value: number) => void = () => undefined;
  const reading = client.query({
    queryKey: queryKeys.runs,
    queryFn: () => new Promise<number>((resolve) => (answer = resolve)),
  });
  batch.add([queryKeys.runs]);
  vi.advanceTimersByTime(600);
  expect(readsOf(queryKeys.runs)).toBe(0);
  answer(1);
  await reading;
  vi.advanceTimersByTime(300);
  expect(readsOf(queryKeys.runs)).toBe(1);
});
