import { MantineProvider } from "@mantine/core";
import { finding } from "@mock/seeds/links";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { FindingList } from "./FindingList";

const FINDINGS = [
  finding("ok", "tls", "TLS is verified."),
  finding("info", "late_position", "The reverse channel is idle."),
  finding("warning", "overlap", "Both sides give out the same offsets.", "SET GLOBAL x = 4"),
  finding("blocker", "retention", "The binary log was purged.", "Choose db-a2."),
  finding("unknown", "clock_unknown", "The clock of db-a1 is unknown."),
];

function show(props: Partial<Parameters<typeof FindingList>[0]> = {}) {
  render(
    <MantineProvider>
      <FindingList findings={FINDINGS} {...props} />
    </MantineProvider>,
  );
  return screen.getAllByRole("listitem");
}

test("findings are sorted by severity, and those that passed are folded into one line", () => {
  const items = show();
  expect(items.map((item) => item.textContent)).toEqual([
    expect.stringContaining("The binary log was purged."),
    expect.stringContaining("The clock of db-a1 is unknown."),
    expect.stringContaining("Both sides give out the same offsets."),
    expect.stringContaining("The reverse channel is idle."),
    expect.stringContaining("1 more"),
  ]);
  expect(screen.queryByText("TLS is verified.")).toBeNull();
});

test("the line of those that passed opens and says so", async () => {
  show();
  const button = screen.getByRole("button", { name: /1 more/ });
  await userEvent.click(button);
  expect(button).toHaveAttribute("aria-expanded", "true");
  expect(screen.getByText("TLS is verified.")).toBeVisible();
});

test("a remedy that is a statement can be copied, a sentence is only read", () => {
  const [blocker, , warning] = show();
  expect(within(blocker!).queryByRole("button", { name: /remedy/ })).toBeNull();
  expect(within(warning!).getByRole("button", { name: /remedy/ })).toBeVisible();
});

test("a refusal is explained, a warning is not", async () => {
  const [blocker, , warning] = show();
  expect(await within(blocker!).findByRole("button", { name: "Explain retention" })).toBeVisible();
  expect(within(warning!).queryByRole("button", { name: /^Explain/ })).toBeNull();
});

test("codes are shown where they are asked for", () => {
  show({ showCodes: true, showPassed: true });
  for (const { code } of FINDINGS) expect(screen.getByText(code)).toBeVisible();
});

test("without findings it says so", () => {
  expect(show({ findings: [] })).toHaveLength(1);
});
