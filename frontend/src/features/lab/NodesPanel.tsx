import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { commands } from "@/api/commands";
import type { LabNode } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import type { Tone } from "@/ui/StatusIcon";
import css from "./Lab.module.css";
import { useLabAction } from "./use-lab-action";

const STATE: Record<LabNode["state"], Tone> = { running: "ok", frozen: "warn", stopped: "bad" };

function NodeRow({ node }: { node: LabNode }) {
  const act = useLabAction((action: "kill" | "freeze" | "thaw" | "start") =>
    commands.labNode(node.name, action),
  );
  const button = (
    action: "kill" | "freeze" | "thaw" | "start",
    word: string,
    can: boolean,
  ): ReactNode => (
    <Button
      size="xs"
      variant="default"
      disabled={!can || act.isPending}
      loading={act.isPending && act.variables === action}
      onClick={() => act.mutate(action)}
      aria-label={`${word} ${node.name}`}
    >
      {word}
    </Button>
  );
  return (
    <tr>
      <td className="strong nowrap">{node.name}</td>
      <td>
        <StatusChip tone={STATE[node.state]}>{node.state}</StatusChip>
      </td>
      <td className="dim">{node.wsrep_state ?? "no answer"}</td>
      <td>
        <div className="row end">
          {button("kill", "Kill", node.state !== "stopped")}
          {node.state === "frozen"
            ? button("thaw", "Thaw", true)
            : button("freeze", "Freeze", node.state === "running")}
          {button("start", "Start", node.state === "stopped")}
        </div>
        {act.isError && (
          <ProblemAlert error={act.error} action={`${node.name}: ${act.variables}`} />
        )}
      </td>
    </tr>
  );
}

/** A site's nodes under its name, with what can be done to all of them at once. */
function SiteRows({ nodes }: { nodes: LabNode[] }) {
  const { site, cluster } = nodes[0] ?? { site: "", cluster: "" };
  const act = useLabAction((action: "lose" | "start") => commands.labSite(site, action));
  const down = nodes.filter((node) => node.state === "stopped").length;
  const button = (action: "lose" | "start", word: string, can: boolean): ReactNode => (
    <Button
      size="xs"
      variant="default"
      disabled={!can || act.isPending}
      loading={act.isPending && act.variables === action}
      onClick={() => act.mutate(action)}
    >
      {word} {cluster}
    </Button>
  );
  return (
    <tbody>
      <tr className={css.site}>
        <th scope="rowgroup" colSpan={4}>
          <div className="row between">
            <span className="strong">{cluster}</span>
            <div className="row">
              {button("lose", "Lose", down < nodes.length)}
              {button("start", "Start", down > 0)}
            </div>
          </div>
          {act.isPending && (
            <p className="dim" role="status">
              {act.variables === "lose"
                ? `${cluster} goes down: first the node that the channel reads from; the others take some more writes.`
                : `${cluster} starts, the node that knows most first. This takes half a minute.`}
            </p>
          )}
          {act.isError && (
            <ProblemAlert error={act.error} action={`${cluster}: ${act.variables}`} />
          )}
        </th>
      </tr>
      {nodes.map((node) => (
        <NodeRow key={node.name} node={node} />
      ))}
    </tbody>
  );
}

export function NodesPanel({ nodes }: { nodes: LabNode[] }) {
  const sites = [...new Set(nodes.map((node) => node.site))];
  return (
    <Panel title="Nodes" aside="kill ends a process at once; freeze leaves it deaf">
      <div className={css.scroll}>
        <table className="grid">
          {sites.map((site) => (
            <SiteRows key={site} nodes={nodes.filter((node) => node.site === site)} />
          ))}
        </table>
      </div>
    </Panel>
  );
}
