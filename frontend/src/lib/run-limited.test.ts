import { expect, it } from "vitest";
import { runLimited } from "./run-limited";

const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

it("test_run_limited__five_items_two_at_once__never_more_and_all_done", async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  const task = async (item: number) => {
    running += 1;
    most = Math.max(most, running);
    await pause();
    running -= 1;
    done.push(item);
  };
  await runLimited([1, 2, 3, 4, 5], 2, task, new AbortController().signal);
  expect(most).toBe(2);
  expect(done).toEqual([1, 2, 3, 4, 5]);
});

it("test_run_limited__stopped__what_runs_ends_and_nothing_starts", async () => {
  const stop = new AbortController();
  const done: number[] = [];
  const task = async (item: number) => {
    await pause();
    done.push(item);
    stop.abort();
  };
  await runLimited([1, 2, 3], 1, task, stop.signal);
  expect(done).toEqual([1]);
});
