import { MantineProvider } from "@mantine/core";
import { makePlan } from "@mock/seeds/plans";
import { runAt } from "@mock/seeds/runs";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { planQuery } from "@/api/resources/plans";
import type { Run } from "@/api/types";
import { WritePauseCallout } from "./WritePauseCallout";

const T0 = Date.parse("2026-11-21T02:15:00.000Z");
const iso = (ms: number) => new Date(T0 + ms).toISOString();

const ongoing = {
  started_at: iso(0),
  ended_at: null,
  duration_s: null,
  state: "ongoing",
  ended_by: null,
} as const;
const ended = { ...ongoing, ended_at: iso(1000), duration_s: 1, state: "ended" } as const;

/** A switchover from turin to milan, 700 ms after its first fence. */
function show(write_pause: Run["write_pause"], over: Partial<Run> = {}) {
  const plan = makePlan("p", "", {});
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
  });
  client.setQueryData(planQuery("p").queryKey, plan);
  const target = { ...plan.target, active_name: "milan", standby_name: "turin" };
  const run = { ...runAt("r", plan, T0, ""), kind: "switchover", target, write_pause, ...over };
  return render(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <WritePauseCallout run={run} />
      </MantineProvider>
    </QueryClientProvider>,
  );
}

const callout = () => document.querySelector(".panel");

beforeEach(() => vi.useFakeTimers({ now: T0 + 700 }));
afterEach(() => vi.useRealTimers());

describe("the write pause of a run in progress", () => {
  it("test_pause__ongoing__counted_from_its_start", () => {
    show(ongoing);
    expect(screen.getByText(/^Writes have been paused for 0\.70 s: turin is fenced/)).toBeVisible();
    act(() => {
      vi.advanceTimersByTime(500);
    });
    expect(
      screen.getByText(/paused for 1\.20 s: .* milan is not the active side yet/),
    ).toBeVisible();
  });
  it("test_pause__new_side_is_opened_by_the_run__is_not_writable_yet", () => {
    const side = { id: "c", name: "milan" };
    show(ongoing, {
      roles_after: { active: side, standby: side, is_swapped: false, is_opened_by_run: true },
    });
    expect(screen.getByText(/milan is not writable yet/)).toBeVisible();
  });
  it("test_pause__opened__the_duration_of_the_server", () => {
    show({ ...ended, ended_by: "opened" });
    expect(screen.getByText(/possible again on milan\. .* paused for 1\.00 s\.$/)).toBeVisible();
  });
  it("test_pause__reverted__writes_are_back_on_the_old_side", () => {
    show({ ...ended, ended_by: "reverted" });
    expect(screen.getByText(/possible again on turin\. .* paused for 1\.00 s\.$/)).toBeVisible();
  });
  it("test_pause__end_unknown__not_guessed", () => {
    show({ ...ongoing, state: "unknown" });
    expect(callout()).toBeNull();
  });
  it("test_pause__run_over__told_by_its_result_alone", () => {
    show({ ...ended, ended_by: "opened" }, { state: "succeeded" });
    expect(callout()).toBeNull();
  });
  it("test_pause__nothing_fenced_yet__none", () => {
    show(null);
    expect(callout()).toBeNull();
  });
});
