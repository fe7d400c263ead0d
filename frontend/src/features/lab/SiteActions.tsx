import { Button } from "@mantine/core";
import { useActOnLabSite } from "@/api/resources/lab";
import type { LabNode } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";

interface SiteActionsProps {
  site: string;
  cluster: string;
  nodes: readonly LabNode[];
}

/** Takes all nodes of a site down, or starts them. */
export function SiteActions({ site, cluster, nodes }: SiteActionsProps) {
  const act = useActOnLabSite();
  const stopped = nodes.filter((node) => node.state === "stopped").length;
  const isStarting = act.variables?.action === "start";
  const button = (action: "lose" | "start", label: string, isPossible: boolean) => (
    <Button
      size="xs"
      variant="default"
      disabled={!isPossible || act.isPending}
      loading={act.isPending && act.variables.action === action}
      onClick={() => act.mutate({ site, action })}
    >
      {label} {cluster}
    </Button>
  );
  return (
    <div>
      <div className="row between">
        <h3>{cluster}</h3>
        <div className="row">
          {button("lose", "Take down", stopped < nodes.length)}
          {button("start", "Start", stopped > 0)}
        </div>
      </div>
      {act.isPending && (
        <p className="dim" role="status">
          {isStarting
            ? `Starting ${cluster}, the most advanced node first. This takes half a minute.`
            : `Taking down ${cluster}. The source node of the channel stops first; the other nodes still accept a few writes.`}
        </p>
      )}
      {act.isError && (
        <ProblemAlert
          error={act.error}
          action={isStarting ? `start ${cluster}` : `take down ${cluster}`}
        />
      )}
    </div>
  );
}
