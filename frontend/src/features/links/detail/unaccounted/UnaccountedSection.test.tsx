import { MantineProvider } from "@mantine/core";
import { calm } from "@mock/seeds/links";
import { accountsOf, notAccounted, unsafeSettings } from "@mock/seeds/unaccounted";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { client } from "@/api/client";
import { queryKeys } from "@/api/query-keys";
import type { Unaccounted } from "@/api/types";
import { AccountLines } from "./AccountLines";
import { UnaccountedSection } from "./UnaccountedSection";
import { UnsafeSettingsSection } from "./UnsafeSettingsSection";

const link = calm();
const FAULTY = accountsOf(true, new Set());
const OPERATOR = ["read", "lookup", "plan", "run"];

/** The section and the lines, in a router of their own. */
async function show(accounts: Unaccounted, permissions = OPERATOR): Promise<void> {
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => (
        <>
          <UnaccountedSection link={link} />
          <UnsafeSettingsSection link={link} />
          <AccountLines link={link} proofs={[]} />
        </>
      ),
    }),
    history: createMemoryHistory({ initialEntries: ["/"] }),
  });
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  queryClient.setQueryData(queryKeys.unaccounted(link.id), accounts);
  queryClient.setQueryData(queryKeys.session, { username: "olaf", permissions });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.findByText(/^milan → frankfurt:/);
}

const settled = () =>
  vi.spyOn(client, "POST").mockResolvedValue({ data: FAULTY, response: new Response() });

const settleButton = () => screen.getByText(/^Settle…/);

async function settleAll(reason: string): Promise<void> {
  await userEvent.click(screen.getByText("Select all"));
  await userEvent.click(settleButton());
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: reason } });
  await userEvent.click(screen.getByText("Settle 3 transactions"));
}

test("nothing is listed while every transaction is on both sides, and a line says since when", async () => {
  await show(accountsOf(false, new Set()));
  expect(screen.queryByText(/that are not on both sides$/)).toBeNull();
  const [forward, reverse] = screen.getAllByRole("listitem");
  expect(forward).toHaveTextContent(
    /all 12,431 transactions since .+ are on both sides, compared row by row \(checked/,
  );
  expect(reverse).toHaveTextContent(/^frankfurt → milan: all 38 transactions since/);
});

test("an account that has not begun is not said to be right", async () => {
  await show(notAccounted());
  for (const line of screen.getAllByRole("listitem"))
    expect(line).toHaveTextContent(/: not accounted for yet$/);
});

test("what is not on both sides is listed, and the line no longer says all", async () => {
  await show(FAULTY);
  expect(screen.getAllByRole("row")).toHaveLength(4);
  expect(screen.getByText(/^milan → frankfurt:/)).toHaveTextContent(
    /: 12,431 transactions since .+ are on both sides, compared row by row, 2 transactions not/,
  );
  expect(screen.getByRole("link", { name: /^Look up ?0-21-81244$/ })).toHaveAttribute(
    "href",
    expect.stringContaining("884120911"),
  );
});

test("a viewer reads it, and is told who can settle", async () => {
  await show(FAULTY, ["read"]);
  expect(screen.queryByRole("checkbox")).toBeNull();
  expect(screen.queryByRole("link")).toBeNull();
  expect(settleButton()).toHaveTextContent(/Only operators can do this/);
});

test("nothing is settled before something is selected", async () => {
  await show(FAULTY);
  await userEvent.click(settleButton());
  expect(screen.queryByLabelText(/^Reason/)).toBeNull();
  expect(settleButton()).toHaveTextContent(/Select transactions first/);
});

test("both directions are settled for one reason", async () => {
  await show(FAULTY);
  const post = settled();
  await settleAll(" rows brought in ");
  expect(post.mock.calls.map((call) => call[1])).toMatchObject([
    {
      body: {
        direction: "forward",
        gtids: ["0-21-81244", "0-21-81245"],
        reason: "rows brought in",
      },
    },
    { body: { direction: "reverse", gtids: ["0-31-4711"], reason: "rows brought in" } },
  ]);
});

test("with the last listed one those that are not listed are settled, and the form counts them", async () => {
  await show({ ...FAULTY, forward: { ...FAULTY.forward, more: 1204 } });
  await userEvent.click(screen.getByText("Select all"));
  await userEvent.click(settleButton());
  expect(screen.getByText("Settle 1,207 transactions")).toBeVisible();
  expect(
    screen.getByText(
      "This also settles 1,204 transactions of milan → frankfurt that are not listed.",
    ),
  ).toBeVisible();
});

test("a refusal is told, and the form stays", async () => {
  await show(FAULTY);
  vi.spyOn(client, "POST").mockResolvedValue({
    error: {
      code: "unaccounted_changed",
      title: "Transactions to settle changed in the meantime",
      detail: "0-21-81244 is not among the transactions. Nothing was settled.",
    },
    response: new Response(null, { status: 409 }),
  });
  await settleAll("rows brought in");
  expect(await screen.findByRole("alert")).toHaveTextContent(
    /Could not settle the transactions: Transactions to settle changed.*Nothing was settled/,
  );
  expect(screen.getByLabelText(/^Reason/)).toHaveValue("rows brought in");
});

test("a direction without traffic says so", async () => {
  const quiet = accountsOf(false, new Set());
  await show({ ...quiet, forward: { ...quiet.forward, groups: 0 } });
  expect(screen.getByText(/^milan → frankfurt:/)).toHaveTextContent(/: no transaction since /);
});

const UNSAFE: Unaccounted = {
  ...accountsOf(false, new Set()),
  unsafe_settings: unsafeSettings(new Set()),
};

test("a setting that is still there cannot be settled, one that is over can", async () => {
  await show(UNSAFE);
  expect(screen.getByText("still there")).toBeVisible();
  const post = settled();
  await userEvent.click(screen.getByRole("checkbox", { name: /^Select binlog_ignore_db=audit/ }));
  await userEvent.click(settleButton());
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: "tables compared" } });
  await userEvent.click(screen.getByText("Settle 1 cause"));
  expect(post.mock.calls.map((call) => call[1])).toMatchObject([
    {
      body: {
        settings: [{ node_id: "n_a2", variable: "binlog_ignore_db" }],
        reason: "tables compared",
      },
    },
  ]);
});

test("settings are not listed while there are none", async () => {
  await show(accountsOf(false, new Set()));
  expect(screen.queryByText(/rows may have come to differ$/)).toBeNull();
});
