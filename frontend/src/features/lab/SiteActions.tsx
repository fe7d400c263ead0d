import { useActOnLabSite } from "@/api/resources/lab";
import type { LabNode } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";

interface SiteActionsProps {
  site: string;
  cluster: string;
  nodes: readonly LabNode[];
}

const IN_PROGRESS = "The last action has not ended.";

/** Takes all nodes of a site down, or starts them. */
export function SiteActions({ site, cluster, nodes }: SiteActionsProps) {
  const act = useActOnLabSite();
  const stopped = nodes.filter((node) => node.state === "stopped").length;
  const isStarting = act.variables?.action === "start";
  const button = (action: "lose" | "start", label: string, impossible: string | null) => (
    <DisabledReasonButton
      size="xs"
      variant="default"
      disabledReason={act.isPending ? IN_PROGRESS : impossible}
      loading={act.isPending && act.variables.action === action}
      onClick={() => act.mutate({ site, action })}
    >
      {label} {cluster}
    </DisabledReasonButton>
  );
  return (
    <div>
      <div className="row between">
        <h3>{cluster}</h3>
        <div className="row">
          {button(
            "lose",
            "Take down",
            stopped < nodes.length ? null : `No node of ${cluster} is up.`,
          )}
          {button("start", "Start", stopped > 0 ? null : `No node of ${cluster} is stopped.`)}
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
