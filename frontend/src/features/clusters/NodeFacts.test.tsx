import { MantineProvider } from "@mantine/core";
import { milan } from "@mock/seeds/clusters";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { NodeFacts } from "./NodeFacts";

const REASON = "Percona XtraDB Cluster 8.0.36-28.1 is watched only: Hawser was never tried with it";

function show(watchedOnly: string | null) {
  const node = milan().nodes[0];
  if (!node) throw new Error("the seed has no node");
  render(
    <MantineProvider>
      <NodeFacts node={{ ...node, watched_only: watchedOnly, channels: [] }} />
    </MantineProvider>,
  );
}

test("a server that is watched only says why, and that plans are refused", () => {
  show(REASON);
  expect(screen.getByText(`db-a1: ${REASON}.`)).toBeVisible();
  expect(screen.getByText(/Every plan with it is refused/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Explain server_watched_only" })).toBeVisible();
});

test("a server that plans are made with has no such note", () => {
  show(null);
  expect(screen.queryByText(/watched only/)).toBeNull();
});
