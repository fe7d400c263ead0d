import { Button, Checkbox } from "@mantine/core";
import { useState } from "react";
import type { Plan } from "@/api/types";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Panel } from "@/ui/Panel";
import { usePlanning, wishOf } from "./useFlow";

interface Unseen {
  id: string;
  name: string;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The nodes nobody can see and that could still run a channel, as the server names them. */
export function unseenNodes(plan: Plan): Unseen[] {
  return plan.findings
    .filter((finding) => finding.code === "unseen_node_may_run" && finding.facts.node_id)
    .map((finding) => ({ id: text(finding.facts.node_id), name: text(finding.facts.node) }))
    .filter((node, index, all) => all.findIndex((other) => other.id === node.id) === index);
}

/**
 * A person's word that a node nobody can see does not run: it goes into a new plan, under
 * their name, because the plan shown must be the plan run.
 */
export function Attestations({ plan, then }: { plan: Plan; then: (plan: Plan) => string }) {
  const unseen = unseenNodes(plan);
  const [ticked, setTicked] = useState<string[]>([]);
  const planning = usePlanning(plan.link_id, then);
  if (unseen.length === 0) return null;
  const attest = () =>
    planning.mutate({
      ...wishOf(plan),
      options: {
        ...plan.options,
        attest_fenced: [...(plan.options.attest_fenced ?? []), ...ticked],
      },
    });
  const names = unseen.filter((node) => ticked.includes(node.id)).map((node) => node.name);
  return (
    <Panel tone="unknown" title="Nodes nobody can see">
      <p className="dim">
        A node that cannot be seen counts as possibly running. Power it off or cut its network
        first; then say so here. Your name and this word go into the audit record.
      </p>
      <div className="stack attest">
        {unseen.map((node) => (
          <Checkbox
            key={node.id}
            label={`I attest that ${node.name} is fenced: powered off, or cut off from both sites`}
            checked={ticked.includes(node.id)}
            onChange={(event) =>
              setTicked(
                event.currentTarget.checked
                  ? [...ticked, node.id]
                  : ticked.filter((id) => id !== node.id),
              )
            }
          />
        ))}
      </div>
      {planning.isError && (
        <ProblemNotice error={planning.error} doing="Planning with the attestation" />
      )}
      <Button
        mt={12}
        variant="default"
        disabled={ticked.length === 0}
        loading={planning.isPending}
        onClick={attest}
      >
        {names.length > 0
          ? `Attest for ${names.join(", ")} and plan again`
          : "Attest and plan again"}
      </Button>
    </Panel>
  );
}
