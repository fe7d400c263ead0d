import { Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import { useConfirmIncident } from "@/api/resources/incidents";
import type { Incident, IncidentItem } from "@/api/types";
import { CurlButton } from "@/components/CurlButton";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
import { useCan } from "@/components/use-session";
import { givenAttestations, givenStatements } from "@/domain/attestations";
import { itemsToStart } from "@/domain/incidents";
import { pluralize } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import css from "./Incident.module.css";

/** The attestations of the plan, as the server asks for them again. */
const attestationsOf = (item: IncidentItem) =>
  givenAttestations(item).map(({ option, node_id }) => ({
    link_id: item.link_id,
    option,
    node_id,
  }));

function Losses({ items }: { items: readonly IncidentItem[] }) {
  return (
    <ol className={css.losses}>
      {items.map((item) => (
        <li key={item.link_id}>
          <span className="strong">{item.link_name}</span>: {item.label}
          <div className="dim">Data loss: {item.loss_text}</div>
        </li>
      ))}
    </ol>
  );
}

function Repeated(props: {
  items: readonly IncidentItem[];
  repeated: readonly string[];
  change: (linkId: string, isChecked: boolean) => void;
}) {
  return (
    <div className={css.attestations}>
      {props.items.map((item) => (
        <Checkbox
          key={item.link_id}
          label={`${item.link_name}: I repeat what is attested for this link`}
          description={`${givenStatements(item).join(". ")}.`}
          checked={props.repeated.includes(item.link_id)}
          onChange={(event) => props.change(item.link_id, event.currentTarget.checked)}
        />
      ))}
    </div>
  );
}

function Form({ incident, items }: { incident: Incident; items: readonly IncidentItem[] }) {
  const confirming = useConfirmIncident(incident.id);
  const { form, submit, problem } = useServerForm({ initialValues: { reason: "", confirm: "" } });
  const [repeated, setRepeated] = useState<string[]>([]);
  const attested = items.filter((item) => attestationsOf(item).length > 0);
  const attestations = attested
    .filter((item) => repeated.includes(item.link_id))
    .flatMap((item) => attestationsOf(item));
  const { reason, confirm } = form.values;
  const body = { digest: incident.digest, confirm, reason, attestations };
  const outdated = incident.items.filter((item) => item.state === "needs_plan");
  const missing = () => {
    if (outdated.length > 0)
      return `Plan again, or leave out: ${outdated.map((item) => item.link_name).join(", ")}.`;
    if (attested.some((item) => !repeated.includes(item.link_id)))
      return "Repeat the attestations of every link.";
    if (reason.trim() === "") return "Enter a reason. It is recorded in the audit log.";
    return confirm === incident.name ? null : `Type the incident's name: ${incident.name}.`;
  };
  const disabledReason = missing();
  const send = async () => {
    if (disabledReason === null) await confirming.mutateAsync(body);
  };
  return (
    <form className="stack attest" onSubmit={submit(send)}>
      {problem !== null && <ProblemAlert error={problem} action="confirm the incident" />}
      {attested.length > 0 && (
        <Repeated
          items={attested}
          repeated={repeated}
          change={(linkId, isChecked) =>
            setRepeated(
              isChecked ? [...repeated, linkId] : repeated.filter((other) => other !== linkId),
            )
          }
        />
      )}
      <TextInput
        label="Reason or ticket"
        description="Recorded in every run, the report and the audit log"
        maxLength={500}
        {...form.getInputProps("reason")}
      />
      <TextInput
        label={`Type the incident's name, ${incident.name}`}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps("confirm")}
      />
      {disabledReason && <p className="dim">{disabledReason}</p>}
      <div className="row end">
        <CurlButton
          method="POST"
          path={`/incidents/${incident.id}/confirm`}
          body={{ ...body, confirm: incident.name }}
        />
        <DisabledReasonButton
          disabledReason={disabledReason}
          type="submit"
          loading={confirming.isPending}
        >
          {`Start ${pluralize(items.length, "operation")}, ${incident.at_once} at once`}
        </DisabledReasonButton>
      </div>
    </form>
  );
}

/** One confirmation of every ready plan, by the digest of all. */
export function ConfirmPanel({ incident }: { incident: Incident }) {
  const mayRun = useCan("run");
  const items = itemsToStart(incident);
  if (incident.state !== "planned" || items.length === 0) return null;
  return (
    <Panel title="Confirm all" aside="each plan can also be confirmed on its own page">
      <Losses items={items} />
      {mayRun ? (
        <Form incident={incident} items={items} />
      ) : (
        <p className="dim">Your role can view plans but not run them.</p>
      )}
    </Panel>
  );
}
