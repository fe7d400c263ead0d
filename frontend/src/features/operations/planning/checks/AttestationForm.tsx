import { Checkbox } from "@mantine/core";
import { useState } from "react";
import type { Plan } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import type { StepLink } from "@/components/workflow/step-link";
import {
  type RequiredAttestation,
  requiredAttestations,
  withAttestations,
} from "@/domain/attestations";
import {
  toPlanRequest,
  useCreatePlan,
} from "@/features/operations/planning/shared/use-create-plan";
import { Panel } from "@/ui/Panel";

/** A node's statement needs no explanation; any other shows the findings that it answers. */
function Statement(props: {
  required: RequiredAttestation;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}) {
  const { attestation, messages } = props.required;
  return (
    <Checkbox
      {...(attestation.is_override ? { color: "red.8" } : {})}
      label={attestation.label}
      description={attestation.node_id === null ? messages.join(" ") : undefined}
      checked={props.isChecked}
      onChange={(event) => props.onChange(event.currentTarget.checked)}
    />
  );
}

function buttonLabel(attested: readonly RequiredAttestation[]): string {
  const nodes = attested.flatMap(({ attestation }) => attestation.node ?? []);
  return nodes.length > 0
    ? `Attest for ${nodes.join(", ")} and plan again`
    : "Attest and plan again";
}

/**
 * What you attest where the servers cannot answer. It goes into a new plan under your name,
 * because a plan is never changed.
 */
export function AttestationForm({
  plan,
  nextPage,
}: {
  plan: Plan;
  nextPage: (plan: Plan) => StepLink;
}) {
  const required = requiredAttestations(plan);
  const [checked, setChecked] = useState<string[]>([]);
  const planning = useCreatePlan(plan.link_id, nextPage);
  if (required.length === 0) return null;
  const attested = required.filter(({ key }) => checked.includes(key));
  const attest = () =>
    planning.create({
      ...toPlanRequest(plan),
      options: withAttestations(
        plan.options,
        attested.map(({ attestation }) => attestation),
      ),
    });
  const change = (key: string, isChecked: boolean) =>
    setChecked(isChecked ? [...checked, key] : checked.filter((other) => other !== key));
  return (
    <Panel
      tone={required.some(({ attestation }) => attestation.is_override) ? "bad" : "unknown"}
      title="Attestations required"
    >
      <p className="dim">
        {required.some(({ attestation }) => attestation.node_id !== null) &&
          "An unreachable node may still be running. Power it off or isolate it before you attest. "}
        Attestations are recorded in the audit log under your name.
      </p>
      <div className="stack attest">
        {required.map((entry) => (
          <Statement
            key={entry.key}
            required={entry}
            isChecked={checked.includes(entry.key)}
            onChange={(isChecked) => change(entry.key, isChecked)}
          />
        ))}
      </div>
      {planning.isError && (
        <ProblemAlert error={planning.error} action="create a plan with these attestations" />
      )}
      <DisabledReasonButton
        mt={12}
        variant={attested.length > 0 ? "filled" : "default"}
        disabledReason={
          planning.refusal ?? (attested.length === 0 ? "Select at least one attestation." : null)
        }
        loading={planning.isPending}
        onClick={attest}
      >
        {buttonLabel(attested)}
      </DisabledReasonButton>
    </Panel>
  );
}
