import { Button, Checkbox } from "@mantine/core";
import { useState } from "react";
import type { Plan, PlanOptions } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import type { StepLink } from "@/components/workflow/step-link";
import { toPlanRequest, useCreatePlan } from "@/features/operations/shared/use-create-plan";
import { Panel } from "@/ui/Panel";
import {
  type Attestation,
  requiredAttestations,
  type UnreachableNode,
  unreachableNodes,
} from "./attestations";

/** The options of the next plan: what this one was told, and the words just given. */
function withWords(plan: Plan, nodes: string[], words: string[]): PlanOptions {
  const fenced = [...(plan.options.attest_fenced ?? []), ...nodes];
  return {
    ...plan.options,
    ...(fenced.length > 0 ? { attest_fenced: fenced } : {}),
    ...Object.fromEntries(words.map((key) => [key, true])),
  };
}

function Asked(props: {
  unseen: UnreachableNode[];
  words: Attestation[];
  ticked: string[];
  onTick: (key: string, on: boolean) => void;
}) {
  const { unseen, words, ticked, onTick } = props;
  return (
    <div className="stack attest">
      {unseen.map((node) => (
        <Checkbox
          key={node.id}
          label={`I attest that ${node.name} is fenced: powered off, or cut off from both sites`}
          checked={ticked.includes(node.id)}
          onChange={(event) => onTick(node.id, event.currentTarget.checked)}
        />
      ))}
      {words.map((word) => (
        <Checkbox
          key={word.key}
          {...(word.isOverride ? { color: "red.8" } : {})}
          label={word.label}
          description={word.findings.map((finding) => finding.message).join(" ")}
          checked={ticked.includes(word.key)}
          onChange={(event) => onTick(word.key, event.currentTarget.checked)}
        />
      ))}
    </div>
  );
}

/**
 * A person's word where the servers cannot answer: it goes into a new plan, under their name,
 * because the plan shown must be the plan run.
 */
export function AttestationForm({
  plan,
  nextPage,
}: {
  plan: Plan;
  nextPage: (plan: Plan) => StepLink;
}) {
  const unseen = unreachableNodes(plan);
  const words = requiredAttestations(plan);
  const [ticked, setTicked] = useState<string[]>([]);
  const planning = useCreatePlan(plan.link_id, nextPage);
  if (unseen.length + words.length === 0) return null;
  const nodes = unseen.filter((node) => ticked.includes(node.id));
  const said = words.filter((word) => ticked.includes(word.key)).map((word) => word.key);
  const answered = nodes.length + said.length > 0;
  const attest = () =>
    planning.create({
      ...toPlanRequest(plan),
      options: withWords(
        plan,
        nodes.map((node) => node.id),
        said,
      ),
    });
  return (
    <Panel
      tone={words.some((word) => word.isOverride) ? "bad" : "unknown"}
      title="What only a person can answer for"
    >
      <p className="dim">
        {unseen.length > 0 &&
          "A node that cannot be seen counts as possibly running: power it off or cut its network first, then say so here. "}
        Your name and each word you give go into the audit record.
      </p>
      <Asked
        unseen={unseen}
        words={words}
        ticked={ticked}
        onTick={(key, on) => setTicked(on ? [...ticked, key] : ticked.filter((k) => k !== key))}
      />
      {planning.isError && (
        <ProblemAlert error={planning.error} action="Planning with the attestation" />
      )}
      <Button
        mt={12}
        variant={answered ? "filled" : "default"}
        disabled={!answered}
        loading={planning.isPending}
        onClick={attest}
      >
        {nodes.length > 0
          ? `Attest for ${nodes.map((node) => node.name).join(", ")} and plan again`
          : "Attest and plan again"}
      </Button>
    </Panel>
  );
}
