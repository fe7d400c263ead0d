import { MantineProvider } from "@mantine/core";
import { makePlan } from "@mock/seeds/plans";
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
import { ConfirmForm } from "./ConfirmForm";

const LABEL = "Move both channels";
const plan = makePlan("p_1", "", {});

/** The call that starts a run; it fails unless a test says how. */
const spyOnPost = () => vi.spyOn(client, "POST").mockRejectedValue(new Error("no console here"));

const startButton = () => screen.getByRole("button", { name: new RegExp(`^${LABEL}`) });
const nameField = () => screen.getByRole("textbox", { name: /^Type the link's name/ });

/** The form within a router of its own; resolves when it was drawn. */
async function show(shown: { permissions?: string[]; blocked?: string } = {}): Promise<void> {
  const form = () => <ConfirmForm plan={plan} blocked={shown.blocked ?? null} label={LABEL} />;
  const router = createRouter({
    routeTree: createRootRoute({ component: form }),
    history: createMemoryHistory({ initialEntries: ["/"] }),
  });
  const queryClient = new QueryClient();
  queryClient.setQueryData(queryKeys.session, {
    username: "olaf",
    permissions: shown.permissions ?? ["read", "plan", "run"],
  });
  render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.findByRole("button", { name: new RegExp(`^${LABEL}`) });
}

async function fill(reason: string, name: string): Promise<void> {
  await userEvent.type(screen.getByRole("textbox", { name: "Reason or ticket" }), reason);
  await userEvent.type(nameField(), name);
}

test("the button names what is missing, one after the other", async () => {
  const post = spyOnPost();
  await show();
  expect(startButton()).toHaveAccessibleName(/Enter a reason/);
  await userEvent.type(screen.getByRole("textbox", { name: "Reason or ticket" }), "INC-1");
  expect(startButton()).toHaveAccessibleName(/Type the link's name: payments/);
  await userEvent.click(startButton());
  await userEvent.type(nameField(), "{Enter}");
  expect(post).not.toHaveBeenCalled();
});

test("reason, name and digest are sent once all is given", async () => {
  const post = spyOnPost();
  await show();
  await fill("INC-1", "payments");
  expect(startButton()).toHaveAccessibleName(LABEL);
  await userEvent.click(startButton());
  expect(post.mock.calls[0]?.[1]).toMatchObject({
    body: { digest: plan.digest, confirm: "payments", reason: "INC-1" },
  });
  expect(await screen.findByRole("alert")).toHaveTextContent("no console here");
});

test("a name that is not the link's is an error at its field", async () => {
  await show();
  await userEvent.type(nameField(), "pay");
  expect(nameField()).not.toHaveAttribute("aria-invalid", "true");
  await userEvent.type(nameField(), "ment-x");
  expect(nameField()).toHaveAttribute("aria-invalid", "true");
  expect(nameField()).toHaveAccessibleDescription("This is not the link's name, payments.");
});

test("what the server refuses in a field is shown at that field", async () => {
  const refused = [{ field: "confirm", message: "The name is wrong." }];
  spyOnPost().mockResolvedValue({
    error: { code: "wrong_confirmation", title: "Wrong confirmation", errors: refused },
    response: new Response(null, { status: 422 }),
  });
  await show();
  await fill("INC-1", "payments");
  await userEvent.click(startButton());
  expect(await screen.findByText("The name is wrong.")).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
});

test.each([
  ["a plan that expired", { blocked: "This plan has expired. Plan again." }, /has expired/],
  ["a viewer", { permissions: ["read"] }, /Your role can view plans/],
])("%s starts nothing and is sentences why", async (_name, shown, reason) => {
  const post = spyOnPost();
  await show(shown);
  await fill("INC-1", "payments");
  expect(startButton()).toHaveAccessibleName(reason);
  await userEvent.click(startButton());
  expect(post).not.toHaveBeenCalled();
});
