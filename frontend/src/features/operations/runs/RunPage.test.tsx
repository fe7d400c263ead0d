import { MantineProvider } from "@mantine/core";
import { row } from "@mock/seeds/link-rows";
import { calm } from "@mock/seeds/links";
import { makePlan } from "@mock/seeds/plans";
import { runAt } from "@mock/seeds/runs";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fleetQuery } from "@/api/resources/fleet";
import { linkQuery } from "@/api/resources/links";
import { planQuery } from "@/api/resources/plans";
import { runQuery } from "@/api/resources/runs";
import { sessionQuery } from "@/api/resources/session";
import * as operations from "@/domain/operations";
import * as SqlBlock from "@/ui/SqlBlock";
import { RunPage } from "./RunPage";
import * as statementLog from "./statement-log";

const T0 = Date.parse("2026-11-21T02:15:00.000Z");

/** The page of a run 3.1 s after its start, with every query answered. */
async function showRunPage() {
  const plan = makePlan("p", "", {});
  const run = runAt("r", plan, T0, "");
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  client.setQueryData(runQuery("r").queryKey, run);
  client.setQueryData(planQuery(run.plan_id).queryKey, plan);
  client.setQueryData(linkQuery(run.link_id).queryKey, calm());
  client.setQueryData(fleetQuery().queryKey, { results: [row("orders")], read_at: "" });
  client.setQueryData(sessionQuery().queryKey, null);
  const root = createRootRoute();
  const shell = createRoute({ getParentRoute: () => root, id: "shell" });
  const page = createRoute({
    getParentRoute: () => shell,
    path: "runs/$runId",
    component: RunPage,
  });
  const router = createRouter({
    routeTree: root.addChildren([shell.addChildren([page])]),
    history: createMemoryHistory({ initialEntries: ["/runs/r"] }),
  });
  await router.load();
  render(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <RouterProvider router={router as never} />
      </MantineProvider>
    </QueryClientProvider>,
  );
  await screen.findByRole("log");
  return run;
}

beforeEach(() => {
  vi.useFakeTimers({ now: T0 + 3100, toFake: ["Date", "setInterval", "clearInterval"] });
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the page of a run in progress", () => {
  it("test_tick__time_counts__page_and_statement_log_not_rendered_again", async () => {
    const logs = vi.spyOn(statementLog, "logText");
    const statements = vi.spyOn(SqlBlock, "SqlText");
    const page = vi.spyOn(operations, "operationTitle");
    const run = await showRunPage();
    const running = run.steps.findIndex((step) => step.state === "running");
    const steps = () => screen.getAllByRole("listitem").map((item) => item.textContent);
    const step = () => steps().find((text) => text.includes(run.steps[running]?.title ?? ""));
    const before = { time: screen.getByRole("timer").textContent, step: step() };
    const renderings = () => [page, logs, statements].map((spy) => spy.mock.calls.length);
    const rendered = renderings();
    expect(Math.min(...rendered)).toBeGreaterThan(0);

    act(() => {
      vi.advanceTimersByTime(500);
    });

    expect(screen.getByRole("timer")).toHaveTextContent("0:03.6");
    expect(screen.getByRole("timer").textContent).not.toBe(before.time);
    expect(step()).not.toBe(before.step);
    expect(renderings()).toEqual(rendered);
  });
});
