import { MantineProvider } from "@mantine/core";
import { makePlan } from "@mock/seeds/plans";
import { runAt } from "@mock/seeds/runs";
import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Run } from "@/api/types";
import { RolesPanel } from "./RolesPanel";

const swapped = {
  active: { id: "c_milan", name: "milan" },
  standby: { id: "c_turin", name: "turin" },
  is_swapped: true,
  is_opened_by_run: true,
};
const unknownPause = {
  started_at: "2026-11-21T02:15:00.000Z",
  ended_at: null,
  duration_s: null,
  state: "unknown",
  ended_by: null,
} as const;

function show(over: Partial<Run>) {
  const run = runAt("r", makePlan("p", "", {}), Date.now(), "");
  return render(
    <MantineProvider>
      <RolesPanel
        run={{ ...run, kind: "switchover", roles_after: null, write_pause: null, ...over }}
      />
    </MantineProvider>,
  );
}
const row = (name: string) => screen.getByRole("row", { name: new RegExp(`^${name}`) });

describe("the roles after a run", () => {
  it("test_roles__swapped__says_so", () => {
    show({ roles_after: swapped });
    expect(row("milan")).toHaveTextContent("now activemade writable by this run");
    expect(row("turin")).toHaveTextContent("standbyreplicates from milan");
  });
  it("test_roles__side_was_writable__not_claimed_for_the_run", () => {
    show({ roles_after: { ...swapped, is_opened_by_run: false } });
    expect(row("milan")).toHaveTextContent("was writable before the run");
  });
  it("test_roles__swap_not_reached__as_before", () => {
    show({ roles_after: { ...swapped, is_swapped: false } });
    expect(row("milan")).toHaveTextContent("as before this run");
  });
  it("test_roles__failed_over__lost_side_invalidated", () => {
    show({ kind: "failover", roles_after: swapped });
    expect(row("turin")).toHaveTextContent("invalidated");
  });
  it("test_pause__end_unknown__not_guessed", () => {
    show({ write_pause: unknownPause });
    expect(screen.getByText(/^Write pause:/)).toHaveTextContent(/^Write pause: unknown, /);
  });
  it("test_run_without_roles_and_pause__nothing_shown", () => {
    show({});
    expect(document.querySelector(".panel")).toBeNull();
  });
});
