import type { Run } from "@/api/types";
import { formatDuration } from "@/lib/format/time";
import { type Column, DataTable, nameColumn, numberColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { stepSeconds } from "./step-seconds";

interface Phase {
  key: string | number;
  name: string;
  seconds: number | null | undefined;
  isTotal: boolean;
}

const TOTALS: Record<string, string> = {
  queued_s: "Queued",
  confirm_to_verified_s: "Confirmed to verified",
  total_s: "Total",
};

function phasesOf(run: Run): Phase[] {
  const totals = Object.entries(run.durations ?? {}).flatMap(([key, seconds]) => {
    const name = TOTALS[key];
    return name ? [{ key, name, seconds, isTotal: true }] : [];
  });
  const steps = run.steps.flatMap((step) => {
    const seconds = stepSeconds(step);
    if (seconds === null) return [];
    return [{ key: step.index, name: step.title, seconds, isTotal: false }];
  });
  return [...totals, ...steps];
}

const COLUMNS: readonly Column<Phase>[] = [
  nameColumn("Phase", (phase) => (
    <span className={phase.isTotal ? "strong" : "dim"}>{phase.name}</span>
  )),
  numberColumn("Duration", (phase) => formatDuration(phase.seconds)),
];

/** How long the run and each of its steps took. */
export function DurationsPanel({ run }: { run: Run }) {
  return (
    <Panel title="Durations">
      <DataTable
        caption="Time of each phase"
        columns={COLUMNS}
        rows={phasesOf(run)}
        rowKey={(phase) => phase.key}
        empty="unknown"
      />
    </Panel>
  );
}
