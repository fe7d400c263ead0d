import { Button, Textarea } from "@mantine/core";
import { useCompareHostSettings } from "@/api/resources/advice";
import type { ClusterConfiguration } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
import { CommandBlock } from "@/ui/CommandBlock";
import { Panel } from "@/ui/Panel";
import css from "./Configuration.module.css";
import { HostComparisonView } from "./HostComparisonView";

interface HostSettingsProps {
  clusterId: string;
  /** Reads the settings on a host. */
  command: string;
  /** What the page compares with. */
  profile: ClusterConfiguration["profile"];
}

const ALSO =
  "Also read: sysctl -a, lines of a sysctl file, or the result of hawser-network-probe. Nothing is stored.";

function useCompareForm({ clusterId, profile }: HostSettingsProps) {
  const compare = useCompareHostSettings(clusterId);
  const { form, submit, problem } = useServerForm({
    initialValues: { text: "" },
    validate: {
      text: (text) => (text.trim() === "" ? "Paste the output of the command" : null),
    },
  });
  const onSubmit = submit(({ text }) =>
    compare.mutateAsync(profile === "unknown" ? { text } : { text, profile }),
  );
  return { form, onSubmit, problem, compare };
}

/** Compares the network settings that a host prints with the profile. */
export function HostSettingsPanel(props: HostSettingsProps) {
  const { form, onSubmit, problem, compare } = useCompareForm(props);
  const found = compare.data;
  return (
    <Panel title="Host network settings">
      <div className="stack">
        <p className="dim">
          Hawser has no account on the hosts. Run this command on one of them; it reads and changes
          nothing.
        </p>
        <CommandBlock text={props.command} label="command for a host" />
        <form className="stack" onSubmit={onSubmit}>
          <Textarea
            label="Output of the command"
            description={ALSO}
            classNames={{ input: css.output ?? "" }}
            rows={6}
            spellCheck={false}
            {...form.getInputProps("text")}
          />
          {problem !== null && <ProblemAlert error={problem} action="compare the settings" />}
          <div>
            <Button type="submit" variant="default" loading={compare.isPending}>
              Compare
            </Button>
          </div>
        </form>
        {found?.profile === props.profile &&
          found.hosts.map((host) => (
            <HostComparisonView key={host.host} comparison={host} profile={found.profile} />
          ))}
        {found && found.profile !== props.profile && (
          <p className="dim">The profile was changed. Compare again.</p>
        )}
      </div>
    </Panel>
  );
}
