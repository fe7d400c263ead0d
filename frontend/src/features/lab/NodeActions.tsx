import { Button } from "@mantine/core";
import { useActOnLabNode } from "@/api/resources/lab";
import type { LabNode, LabNodeAction } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";

interface NodeAction {
  action: LabNodeAction;
  label: string;
  isPossible: boolean;
}

const actionsOf = ({ state }: LabNode): NodeAction[] => [
  { action: "kill", label: "Kill", isPossible: state !== "stopped" },
  state === "frozen"
    ? { action: "thaw", label: "Thaw", isPossible: true }
    : { action: "freeze", label: "Freeze", isPossible: state === "running" },
  { action: "start", label: "Start", isPossible: state === "stopped" },
];

/** Kills, freezes, thaws or starts one node. */
export function NodeActions({ node }: { node: LabNode }) {
  const act = useActOnLabNode();
  return (
    <>
      <div className="row end">
        {actionsOf(node).map(({ action, label, isPossible }) => (
          <Button
            key={action}
            size="xs"
            variant="default"
            disabled={!isPossible || act.isPending}
            loading={act.isPending && act.variables.action === action}
            onClick={() => act.mutate({ name: node.name, action })}
            aria-label={`${label} ${node.name}`}
          >
            {label}
          </Button>
        ))}
      </div>
      {act.isError && (
        <ProblemAlert error={act.error} action={`${act.variables.action} ${node.name}`} />
      )}
    </>
  );
}
