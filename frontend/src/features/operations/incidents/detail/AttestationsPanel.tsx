import { Checkbox } from "@mantine/core";
import { useState } from "react";
import { usePlanIncident } from "@/api/resources/incidents";
import type { Incident, IncidentItem } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useCan } from "@/components/use-session";
import { requiredAttestations, withAttestations } from "@/domain/attestations";
import { pluralize } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import css from "./Incident.module.css";

interface LinkAttestations {
  item: IncidentItem;
  required: ReturnType<typeof requiredAttestations>;
}

/** The links whose plan needs attestations, with those. */
const needed = (incident: Incident): LinkAttestations[] =>
  incident.items
    .filter((item) => item.state === "refused" || item.state === "ready")
    .map((item) => ({ item, required: requiredAttestations(item) }))
    .filter(({ required }) => required.length > 0);

const keyOf = (item: IncidentItem, key: string) => `${item.link_id} ${key}`;

function Attestations(props: {
  of: LinkAttestations;
  checked: readonly string[];
  change: (key: string, isChecked: boolean) => void;
}) {
  const { item, required } = props.of;
  return (
    <fieldset className={css.attestations}>
      <legend className="strong">{item.link_name}</legend>
      {required.map(({ key, attestation, messages }) => (
        <Checkbox
          key={key}
          {...(attestation.is_override ? { color: "red.8" } : {})}
          label={attestation.label}
          description={attestation.node_id === null ? messages.join(" ") : undefined}
          checked={props.checked.includes(keyOf(item, key))}
          onChange={(event) => props.change(keyOf(item, key), event.currentTarget.checked)}
        />
      ))}
    </fieldset>
  );
}

/** The request that plans the links with a ticked attestation again. */
function requestOf(links: readonly LinkAttestations[], checked: readonly string[]) {
  return links.flatMap(({ item, required }) => {
    const given = required.filter(({ key }) => checked.includes(keyOf(item, key)));
    const attestations = given.map(({ attestation }) => attestation);
    return attestations.length === 0
      ? []
      : [{ link_id: item.link_id, options: withAttestations(item.options, attestations) }];
  });
}

/** What the servers cannot answer, by link: nothing that is stated for one link counts for another. */
export function AttestationsPanel({ incident }: { incident: Incident }) {
  const mayPlan = useCan("plan");
  const planning = usePlanIncident(incident.id);
  const [checked, setChecked] = useState<string[]>([]);
  const links = needed(incident);
  if (
    links.length === 0 ||
    !mayPlan ||
    incident.state === "running" ||
    incident.state === "aborted"
  )
    return null;
  const items = requestOf(links, checked);
  const change = (key: string, isChecked: boolean) =>
    setChecked(isChecked ? [...checked, key] : checked.filter((other) => other !== key));
  return (
    <Panel title="Attestations required" tone="unknown">
      <p className="dim">
        An unreachable node may still be running. Power it off or isolate it before you attest.
        Attestations are recorded in the audit log under your name.
      </p>
      <div className={`${css.links} note`}>
        {links.map((one) => (
          <Attestations key={one.item.link_id} of={one} checked={checked} change={change} />
        ))}
      </div>
      {planning.isError && (
        <ProblemAlert error={planning.error} action="plan with these attestations" />
      )}
      <DisabledReasonButton
        mt={12}
        variant={items.length > 0 ? "filled" : "default"}
        disabledReason={items.length === 0 ? "Select at least one attestation." : null}
        loading={planning.isPending}
        onClick={() => planning.mutate({ items }, { onSuccess: () => setChecked([]) })}
      >
        {items.length === 0
          ? "Attest and plan again"
          : `Attest and plan ${pluralize(items.length, "link")} again`}
      </DisabledReasonButton>
    </Panel>
  );
}
