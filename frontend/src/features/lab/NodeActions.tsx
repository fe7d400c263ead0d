import { useActOnLabNode } from "@/api/resources/lab";
import type { LabNode, LabNodeAction } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";

interface NodeAction {
  action: LabNodeAction;
  label: string;
  /** Why it is impossible in this state; null where it is not. */
  impossible: string | null;
}

const unless = (isPossible: boolean, reason: string) => (isPossible ? null : reason);

const actionsOf = ({ name, state }: LabNode): NodeAction[] => [
  {
    action: "kill",
    label: "Kill",
    impossible: unless(state !== "stopped", `${name} is stopped.`),
  },
  state === "frozen"
    ? { action: "thaw", label: "Thaw", impossible: null }
    : {
        action: "freeze",
        label: "Freeze",
        impossible: unless(state === "running", `${name} is not running.`),
      },
  {
    action: "start",
    label: "Start",
    impossible: unless(state === "stopped", `${name} is not stopped.`),
  },
];

/** Kills, freezes, thaws or starts one node. */
export function NodeActions({ node }: { node: LabNode }) {
  const act = useActOnLabNode();
  return (
    <>
      <div className="row end">
        {actionsOf(node).map(({ action, label, impossible }) => (
          <DisabledReasonButton
            key={action}
            size="xs"
            variant="default"
            disabledReason={act.isPending ? "The last action has not ended." : impossible}
            loading={act.isPending && act.variables.action === action}
            onClick={() => act.mutate({ name: node.name, action })}
          >
            {label}
            <span className="sr-only"> {node.name}</span>
          </DisabledReasonButton>
        ))}
      </div>
      {act.isError && (
        <ProblemAlert error={act.error} action={`${act.variables.action} ${node.name}`} />
      )}
    </>
  );
}
