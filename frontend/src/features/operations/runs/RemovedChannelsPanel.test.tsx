import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { RemovedChannelsPanel } from "./RemovedChannelsPanel";

const forward = {
  direction: "forward",
  node: "db-b1",
  source_name: "db-a1",
  name: "",
  file: "binlog.000002",
  position: 328,
  gtid: "0-11-7",
} as const;

function show(gtid: string | null) {
  render(
    <MantineProvider>
      <RemovedChannelsPanel channels={[{ ...forward, gtid }]} />
    </MantineProvider>,
  );
  return screen.getByRole("row", { name: /^forward/ });
}

describe("the removed channels of a run", () => {
  it("test_removed__each__where_it_stopped", () => {
    expect(show("0-11-7")).toHaveTextContent("forwarddb-b1db-a1binlog.000002:3280-11-7");
  });
  it.each([
    ["", "none"],
    [null, "unknown"],
  ])("test_removed__gtid_%j__%s", (gtid, word) => {
    expect(show(gtid)).toHaveTextContent(`binlog.000002:328${word}`);
  });
});
