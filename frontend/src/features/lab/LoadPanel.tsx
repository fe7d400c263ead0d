import { Button } from "@mantine/core";
import { useRunLabLoad } from "@/api/resources/lab";
import type { Lab } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { formatNumber } from "@/lib/format/number";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { LoadSwitches } from "./LoadSwitches";

function loadState({ load, nodes }: Lab): string {
  if (!load.running) return "stopped";
  if (load.both_sides) return "writing on both sides";
  const active = nodes.find((node) => node.site === load.active_site)?.cluster;
  return active ? `writing on ${active}` : "active side unknown";
}

/** The write load of the lab: its counters, start and stop, and what it writes. */
export function LoadPanel({ lab }: { lab: Lab }) {
  const { load } = lab;
  const act = useRunLabLoad();
  const verb = load.running ? "Stop" : "Start";
  return (
    <Panel
      title="Write load"
      aside={<StatusChip tone={load.running ? "ok" : "neutral"}>{loadState(lab)}</StatusChip>}
    >
      <DescriptionList
        items={[
          ["Acknowledged", formatNumber(Math.round(load.acknowledged))],
          ["Failed", formatNumber(Math.round(load.failed))],
          ["Outcome unknown", formatNumber(Math.round(load.indeterminate))],
          ["Writes per second", formatNumber(Math.round(load.rate))],
        ]}
      />
      <Button
        my={10}
        variant="default"
        loading={act.isPending}
        onClick={() => act.mutate(load.running ? "stop" : "start")}
      >
        {verb} load
      </Button>
      {act.isError && <ProblemAlert error={act.error} action={`${act.variables} the load`} />}
      <LoadSwitches load={load} />
    </Panel>
  );
}
