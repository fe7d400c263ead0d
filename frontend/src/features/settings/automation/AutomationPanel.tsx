import { NumberInput, Radio } from "@mantine/core";
import { useSetAutomation } from "@/api/resources/automation";
import type { Automation } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { SaveSettingsButton } from "@/components/SaveSettingsButton";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { useCan } from "@/components/use-session";
import { formatAge } from "@/lib/format/time";
import { Panel } from "@/ui/Panel";
import { AutomationPause } from "./AutomationPause";
import { LastAction } from "./LastAction";

const MODES: readonly { value: Automation["mode"]; label: string; description: string }[] = [
  {
    value: "off",
    label: "Off",
    description: "Hawser takes no action. The link page shows the recommended operation.",
  },
  {
    value: "propose",
    label: "Propose",
    description: "Hawser creates the plan and sends an event. An operator starts the plan.",
  },
  {
    value: "execute",
    label: "Execute",
    description:
      "Hawser creates the plan and starts it under its own name. If the link requires approval, the run waits for it.",
  },
];

interface PanelProps {
  linkId: string;
  automation: Automation;
}

function AutomationForm({ linkId, automation }: PanelProps) {
  const canConfigure = useCan("configure");
  const save = useSetAutomation(linkId);
  const { mode, loss_for_s, block_s } = automation;
  const { form, submit, problem } = useServerForm({ initialValues: { mode, loss_for_s, block_s } });
  const send = submit(async (values) => {
    await save.mutateAsync(values);
    showSuccess("Automatic relocate saved.");
  });
  const shared = { required: true, withAsterisk: false, disabled: !canConfigure };
  return (
    <form onSubmit={send} className="stack">
      <Radio.Group label="Action after the loss of a channel node" {...form.getInputProps("mode")}>
        <div className="stack attest">
          {MODES.map((entry) => (
            <Radio key={entry.value} {...entry} disabled={!canConfigure} />
          ))}
        </div>
      </Radio.Group>
      <div className="row top">
        <NumberInput
          {...shared}
          label="Confirmed loss (seconds)"
          description="without interruption"
          min={5}
          max={3600}
          {...form.getInputProps("loss_for_s")}
        />
        <NumberInput
          {...shared}
          label="Pause afterwards (seconds)"
          description={formatAge(form.values.block_s)}
          min={60}
          max={604_800}
          {...form.getInputProps("block_s")}
        />
      </div>
      {problem !== null && <ProblemAlert error={problem} action="save automatic relocate" />}
      <SaveSettingsButton
        canConfigure={canConfigure}
        isDirty={form.isDirty()}
        isPending={save.isPending}
        label="Save automatic relocate"
        settings="automatic relocate"
      />
    </form>
  );
}

/** Whether Hawser relocates the link automatically when a node that holds a channel is lost. */
export function AutomationPanel({ linkId, automation }: PanelProps) {
  return (
    <Panel title="Automatic relocate" aside="after the loss of a node">
      <div className="stack">
        <LastAction automation={automation} />
        {automation.blocked_until && (
          <AutomationPause linkId={linkId} until={automation.blocked_until} />
        )}
        <AutomationForm linkId={linkId} automation={automation} />
      </div>
    </Panel>
  );
}
