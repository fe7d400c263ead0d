import { MantineProvider } from "@mantine/core";
import { calm } from "@mock/seeds/links";
import { notRecorded, proofOf } from "@mock/seeds/proof";
import { accountsOf, notAccounted } from "@mock/seeds/unaccounted";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { queryKeys } from "@/api/query-keys";
import type { LinkProof, Unaccounted } from "@/api/types";
import { ProofPanel } from "./ProofPanel";

const link = calm();
const UNTIL = Date.UTC(2026, 10, 1);
const SINCE = UNTIL - 900_000;

/** The panel at the address of its link. */
async function show(proof: LinkProof, accounts: Unaccounted): Promise<HTMLElement> {
  const root = createRootRoute({ component: Outlet });
  const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Outlet });
  const page = createRoute({
    getParentRoute: () => shell,
    path: "/links/$linkId",
    component: () => <ProofPanel link={link} />,
  });
  const router = createRouter({
    routeTree: root.addChildren([shell.addChildren([page])]),
    history: createMemoryHistory({ initialEntries: [`/links/${link.id}`] }),
  });
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  queryClient.setQueryData(queryKeys.unaccounted(link.id), accounts);
  queryClient.setQueryData(queryKeys.proof(link.id, { minutes: 15 }), proof);
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return screen.findByRole("region", { name: "Standing proof" });
}

test("each direction has one line and a band with the same words", async () => {
  const panel = await show(proofOf(SINCE, UNTIL), accountsOf(false, new Set()));
  const [forward, reverse] = within(panel).getAllByRole("listitem");
  expect(forward).toHaveTextContent(
    /^milan → frankfurt: all 12,431 transactions since .+; proven 91\.\d\d % of this time, 2 gaps$/,
  );
  expect(reverse).toHaveTextContent(/; proven 100 % of this time, no gap$/);
  expect(
    within(panel).getByRole("img", { name: /^milan → frankfurt: proven 91.+, 2 gaps$/ }),
  ).toBeVisible();
  expect(within(panel).getByText("not proven")).toBeVisible();
});

test("the gaps are a list with their reasons", async () => {
  const panel = await show(proofOf(SINCE, UNTIL), accountsOf(false, new Set()));
  await userEvent.click(within(panel).getByText("2 gaps in this time"));
  const rows = within(within(panel).getByRole("table", { name: "Gaps of the proof" })).getAllByRole(
    "row",
  );
  expect(rows).toHaveLength(3);
  expect(rows[1]).toHaveTextContent(/milan → frankfurt.*1 min 12 s.*No monitor observed the link/);
});

test("a direction that was not recorded is not said to be proven", async () => {
  const panel = await show(notRecorded(SINCE, UNTIL), notAccounted());
  for (const line of within(panel).getAllByRole("listitem"))
    expect(line).toHaveTextContent(/: not accounted for yet; not recorded in this time$/);
  expect(within(panel).queryByText("proven")).toBeNull();
  expect(within(panel).queryByRole("table")).toBeNull();
});
