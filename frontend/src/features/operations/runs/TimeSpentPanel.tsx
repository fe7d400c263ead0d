import type { Run } from "@/api/types";
import { formatDuration } from "@/lib/format/time";
import { type Column, DataTable, nameColumn, numberColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";

type TimeSpent = NonNullable<Run["time_spent"]>;
type StepTime = TimeSpent["steps"][number];
type Part = Exclude<keyof TimeSpent, "steps" | "total_s">;

const PARTS: readonly (readonly [key: Part, name: string])[] = [
  ["waiting_approval_s", "Waiting for approval"],
  ["queued_s", "Queued"],
  ["servers_s", "Waiting for the database servers"],
  ["processor_wait_s", "Waiting for a processor: the console's host was busy"],
  ["database_s", "Waiting for the console's database"],
  ["computing_s", "Computing"],
  ["other_s", "Not measured"],
];

interface Row {
  name: string;
  seconds: number;
  of: number;
}

const share = ({ seconds, of }: Row) => (of > 0 ? `${Math.round((100 * seconds) / of)} %` : "–");

const SUMS: readonly Column<Row>[] = [
  nameColumn("Part", (row) => row.name),
  numberColumn("Time", (row) => formatDuration(row.seconds), { nowrap: true }),
  numberColumn("Share", share, { nowrap: true }),
];

function sumsOf(spent: TimeSpent): Row[] {
  const of = spent.total_s;
  const parts = PARTS.map(([key, name]) => ({ name, seconds: spent[key], of }));
  return [...parts.filter((row) => row.seconds > 0), { name: "Total", seconds: of, of }];
}

const timeOf = (
  key: string,
  header: string,
  seconds: (step: StepTime) => number,
): Column<StepTime> => ({
  key,
  header,
  align: "right",
  nowrap: true,
  cell: (step) => formatDuration(seconds(step)),
});

const stepColumns = (run: Run): readonly Column<StepTime>[] => [
  nameColumn("Step", (step) => run.steps.find((one) => one.index === step.index)?.title),
  timeOf("servers", "Servers", (step) => step.servers_s),
  numberColumn("Round trips", (step) => step.server_trips ?? "–", { nowrap: true }),
  timeOf("processor", "Processor", (step) => step.processor_wait_s),
  timeOf("database", "Console's database", (step) => step.database_s),
  timeOf("computing", "Computing", (step) => step.computing_s),
  timeOf("total", "Total", (step) => step.total_s),
];

/** What the run waited for, in all and in each ended step; nothing before a worker has started it. */
export function TimeSpentPanel({ run }: { run: Run }) {
  const spent = run.time_spent;
  if (!spent || spent.steps.length === 0) return null;
  return (
    <Panel title="Where the time went" aside={formatDuration(spent.total_s)}>
      <details>
        <summary>Show its parts and steps</summary>
        <DataTable
          caption="Parts of the run's time"
          columns={SUMS}
          rows={sumsOf(spent)}
          rowKey={(row) => row.name}
          empty="unknown"
        />
        <DataTable
          caption="What each step waited for"
          columns={stepColumns(run)}
          rows={spent.steps}
          rowKey={(step) => step.index}
          empty="unknown"
        />
      </details>
    </Panel>
  );
}
