import { Radio, Textarea } from "@mantine/core";
import type { Registration, RegistrationSide, SideDraft, TlsTrial } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { tlsLabel } from "@/domain/tls-modes";
import { Panel } from "@/ui/Panel";
import css from "../Registrations.module.css";
import { useDraftForm } from "../use-draft-form";

function trialText({ works, reason, protects }: TlsTrial): string {
  if (works) return `Works on every node. ${protects}`;
  const outcome = works === null ? "Not tried" : "Does not work";
  return reason ? `${outcome}: ${reason}.` : `${outcome}.`;
}

interface TlsPanelProps {
  draft: Registration;
  side: RegistrationSide;
  found: NonNullable<SideDraft["discovered"]>;
}

/** The modes that were tried on every node, what each protects, and what a stricter one needs. */
export function TlsPanel({ draft, side, found }: TlsPanelProps) {
  const { tls } = found;
  const { form, problem, save } = useDraftForm({
    draft,
    prefix: `${side}.`,
    initialValues: { tls: { mode: draft[side].tls.mode, ca: draft[side].tls.ca } },
    toRequest: (values) => ({ [side]: values }),
  });
  const choose = (mode: string) => {
    form.setFieldValue("tls.mode", mode as TlsTrial["mode"]);
    save();
  };
  return (
    <Panel title="TLS" aside={tls.sentence}>
      <form className="stack" onBlur={save}>
        {problem !== null && <ProblemAlert error={problem} action="store the TLS mode" />}
        <Radio.Group
          label="How Hawser connects"
          {...form.getInputProps("tls.mode")}
          onChange={choose}
        >
          <div className={css.choices}>
            {tls.modes.map((trial) => (
              <Radio
                key={trial.mode}
                value={trial.mode}
                label={
                  trial.mode === tls.mode
                    ? `${tlsLabel(trial.mode)} (proposed)`
                    : tlsLabel(trial.mode)
                }
                description={trialText(trial)}
                disabled={trial.works === false}
              />
            ))}
          </div>
        </Radio.Group>
        {tls.remedy && <p className="dim">{tls.remedy}</p>}
        <Textarea
          label="Certificate authority (PEM)"
          description="Paste it, then discover again: the strictest mode that works is proposed."
          placeholder="-----BEGIN CERTIFICATE-----"
          autosize
          minRows={2}
          maxRows={6}
          classNames={{ input: "mono" }}
          {...form.getInputProps("tls.ca")}
        />
      </form>
    </Panel>
  );
}
