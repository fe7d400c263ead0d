import { Button, Checkbox } from "@mantine/core";
import { commands } from "@/api/commands";
import type { Lab } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { formatNumber } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { useLabAction } from "./use-lab-action";

function where({ load, nodes }: Lab): string {
  if (!load.running) return "stopped";
  if (load.both_sides) return "writing on both sides";
  const active = nodes.find((node) => node.site === load.active_site)?.cluster;
  return active ? `writing on ${active}` : "waiting to hear which side is active";
}

/** What the application does beyond plain writes on the active side; a running load obeys at once. */
function Switches({ load }: { load: Lab["load"] }) {
  const act = useLabAction(commands.labLoadSwitch);
  return (
    <div className="stack">
      <Checkbox
        label="Both sides write"
        description="Off: the application follows the active side, as behind a proxy. On: it writes on every site that lets it."
        checked={load.both_sides}
        disabled={act.isPending}
        onChange={(event) => act.mutate({ both_sides: event.currentTarget.checked })}
      />
      <Checkbox
        label="Schema changes"
        description="On: it also creates or changes a table every half minute, wherever it writes."
        checked={load.schema_changes}
        disabled={act.isPending}
        onChange={(event) => act.mutate({ schema_changes: event.currentTarget.checked })}
      />
      {act.isError && <ProblemAlert error={act.error} action="The switch" />}
    </div>
  );
}

export function LoadPanel({ lab }: { lab: Lab }) {
  const { load } = lab;
  const act = useLabAction(commands.labLoad);
  return (
    <Panel
      title="Write load"
      aside={<StatusChip tone={load.running ? "ok" : "neutral"}>{where(lab)}</StatusChip>}
    >
      <table className="grid">
        <tbody>
          {(
            [
              ["Acknowledged", load.acknowledged],
              ["Failed", load.failed],
              ["No answer", load.indeterminate],
              ["Per second", load.rate],
            ] as const
          ).map(([name, value]) => (
            <tr key={name}>
              <td>{name}</td>
              <td className="num">{formatNumber(Math.round(value))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Button
        my={10}
        variant="default"
        loading={act.isPending}
        onClick={() => act.mutate(load.running ? "stop" : "start")}
      >
        {load.running ? "Stop the load" : "Start the load"}
      </Button>
      {act.isError && <ProblemAlert error={act.error} action="The load" />}
      <Switches load={load} />
    </Panel>
  );
}
