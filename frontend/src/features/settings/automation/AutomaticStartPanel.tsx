import { Checkbox, NumberInput } from "@mantine/core";
import { useSetAutomaticStart } from "@/api/resources/automation";
import type { AutomaticStart } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { SaveSettingsButton } from "@/components/SaveSettingsButton";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { useCan } from "@/components/use-session";
import { pluralize } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import { LastAction } from "./LastAction";

/** Whether Hawser starts a channel that stopped without an error, and how often. */
export function AutomaticStartPanel({ linkId, start }: { linkId: string; start: AutomaticStart }) {
  const canConfigure = useCan("configure");
  const save = useSetAutomaticStart(linkId);
  const { enabled, most_per_hour } = start;
  const { form, submit, problem } = useServerForm({ initialValues: { enabled, most_per_hour } });
  const send = submit(async (values) => {
    await save.mutateAsync(values);
    showSuccess("Automatic start saved.");
  });
  return (
    <Panel title="Automatic start" aside="of a channel that stopped without an error">
      <form onSubmit={send} className="stack">
        <LastAction automation={start} />
        <Checkbox
          label="Start the channel at its proven position"
          description="The SQL thread must have stopped without an error 10 s ago or earlier, and the I/O thread must still read."
          disabled={!canConfigure}
          {...form.getInputProps("enabled", { type: "checkbox" })}
        />
        <NumberInput
          label="Limit (starts per hour)"
          description={`${pluralize(start.starts.length, "start")} in the last hour. At the limit Hawser only reports the stop.`}
          min={1}
          max={60}
          required
          withAsterisk={false}
          disabled={!canConfigure}
          {...form.getInputProps("most_per_hour")}
        />
        {problem !== null && <ProblemAlert error={problem} action="save automatic start" />}
        <SaveSettingsButton
          canConfigure={canConfigure}
          isDirty={form.isDirty()}
          isPending={save.isPending}
          label="Save automatic start"
          settings="automatic start"
        />
      </form>
    </Panel>
  );
}
