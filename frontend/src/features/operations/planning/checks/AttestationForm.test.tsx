import { MantineProvider } from "@mantine/core";
import { runOperation } from "@mock/run-operation";
import { makePlan } from "@mock/seeds/plans";
import { currentUser } from "@mock/seeds/session";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { client } from "@/api/client";
import { queryKeys } from "@/api/query-keys";
import type { Plan } from "@/api/types";
import { planPageLink } from "@/components/workflow/step-link";
import type { Role } from "@/domain/permissions";
import { AttestationForm } from "./AttestationForm";

/** The form within a router of its own; resolves when it was drawn. */
async function show(plan: Plan, role: Role = "operator"): Promise<void> {
  const form = () => (
    <>
      <h1>Checks</h1>
      <AttestationForm plan={plan} nextPage={(next) => planPageLink("confirm", next.id)} />
    </>
  );
  const router = createRouter({
    routeTree: createRootRoute({ component: form }),
    history: createMemoryHistory({ initialEntries: ["/"] }),
  });
  const queryClient = new QueryClient();
  queryClient.setQueryData(queryKeys.session, currentUser(role));
  render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.findByRole("heading", { name: "Checks" });
}

const failover = () => runOperation("p_1", "failover", "INC-1", {});

test("a plan that asks for no attestation shows no form", async () => {
  await show(makePlan("p_1", "INC-1", {}));
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("nothing can be sent before something is attested", async () => {
  await show(failover());
  const boxes = screen.getAllByRole("checkbox");
  expect(boxes).toHaveLength(4);
  for (const box of boxes) expect(box).not.toBeChecked();
  expect(screen.getByRole("button", { name: /plan again/ })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
});

test("a viewer is sentences why the button cannot be pressed", async () => {
  await show(failover(), "viewer");
  await userEvent.click(screen.getByRole("checkbox", { name: /db-a1/ }));
  expect(screen.getByRole("button", { name: /Your role can view plans/ })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
});

test("the nodes that were attested go into the next plan, and no others", async () => {
  const post = vi.spyOn(client, "POST").mockRejectedValue(new Error("no console here"));
  await show(failover());
  await userEvent.click(screen.getByRole("checkbox", { name: /db-a1/ }));
  await userEvent.click(screen.getByRole("checkbox", { name: /db-a3/ }));
  await userEvent.click(screen.getByRole("button", { name: /db-a1, db-a3/ }));
  expect(await screen.findByRole("alert")).toBeVisible();
  expect(post.mock.calls[0]?.[1]).toMatchObject({
    body: { kind: "failover", options: { attest_fenced: ["n_a1", "n_a3"] } },
  });
});
