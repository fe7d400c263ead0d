import { MantineProvider } from "@mantine/core";
import { makePlan } from "@mock/seeds/plans";
import { runAt } from "@mock/seeds/runs";
import { render, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Run } from "@/api/types";
import { TimeSpentPanel } from "./TimeSpentPanel";

const measured = { servers_s: 0.5, database_s: 0.2, processor_wait_s: 2, computing_s: 0.3 };
const spent: NonNullable<Run["time_spent"]> = {
  total_s: 4,
  waiting_approval_s: 0,
  queued_s: 0.5,
  ...measured,
  other_s: 0.5,
  steps: [{ index: 1, total_s: 3.5, ...measured, other_s: 0.5, server_trips: 21 }],
};

function show(time_spent: Run["time_spent"]) {
  const run = runAt("r", makePlan("p", "", {}), Date.now(), "");
  render(
    <MantineProvider>
      <TimeSpentPanel run={{ ...run, time_spent }} />
    </MantineProvider>,
  );
  return run;
}

describe("where the time of a run went", () => {
  it("test_time__of_the_run__each_part_with_its_share", () => {
    show(spent);
    expect(screen.getByText("Show its parts and steps").closest("details")).not.toHaveAttribute(
      "open",
    );
    const table = within(
      screen.getByRole("table", { name: "Parts of the run's time", hidden: true }),
    );
    const texts = table.getAllByRole("row", { hidden: true }).map((row) => row.textContent);
    expect(texts).toEqual([
      "PartTimeShare",
      "Queued0.50 s13 %",
      "Waiting for the database servers0.50 s13 %",
      "Waiting for a processor: the console's host was busy2.00 s50 %",
      "Waiting for the console's database0.20 s5 %",
      "Computing0.30 s8 %",
      "Not measured0.50 s13 %",
      "Total4.00 s100 %",
    ]);
  });
  it("test_time__of_a_step__what_it_waited_for", () => {
    const run = show(spent);
    const table = within(
      screen.getByRole("table", { name: "What each step waited for", hidden: true }),
    );
    const [head, row] = table.getAllByRole("row", { hidden: true });
    expect(head).toHaveTextContent(
      "StepServersRound tripsProcessorConsole's databaseComputingTotal",
    );
    expect(row).toHaveTextContent(`${run.steps[1]?.title}0.50 s212.00 s0.20 s0.30 s3.50 s`);
  });
  it.each([null, { ...spent, steps: [] }])("test_time__no_step_ended__shows_nothing", (none) => {
    show(none);
    expect(screen.queryByRole("table")).toBeNull();
  });
});
