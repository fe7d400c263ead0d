import { Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { Problem } from "@/api/problem";
import { usePasteResult } from "@/api/resources/network";
import type { LinkDetail, NetworkTool, PasteNetworkRequest } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useTimeZone } from "@/components/TimeZoneProvider";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { fromInputTime } from "@/lib/format/input-time";
import { zoneLabel } from "@/lib/format/time";
import { Panel } from "@/ui/Panel";
import css from "./Network.module.css";
import { endsOf, optionsOf } from "./nodes";

const TOOLS: Record<NetworkTool, string> = {
  "hawser-network-probe": "hawser-network-probe (JSON)",
  iperf3: "iperf3 --json",
  sockperf: "sockperf ping-pong or under-load",
  netperf: "netperf -t TCP_RR",
  ping: "ping",
};
const TOOL_OPTIONS = Object.entries(TOOLS).map(([value, label]) => ({ value, label }));
/** Tools whose output says when it was measured. */
const WITH_TIME: readonly NetworkTool[] = ["hawser-network-probe", "iperf3"];

/** What the server says of a field inside the output. */
function outputError(problem: unknown): string | null {
  if (!(problem instanceof Problem)) return null;
  const inside = problem.errors.find(({ field }) => field.startsWith("output."));
  return inside ? `${inside.field.slice("output.".length)}: ${inside.message}` : null;
}

function usePasteForm(link: LinkDetail) {
  const { zone } = useTimeZone();
  const paste = usePasteResult(link.id);
  const { near, far } = endsOf(link);
  const { form, submit, problem } = useServerForm({
    initialValues: {
      tool: "hawser-network-probe" as NetworkTool,
      output: "",
      from_node: near[0]?.id ?? "",
      to_node: far[0]?.id ?? "",
      measured_at: "",
    },
    validate: {
      output: (value) => (value.trim() === "" ? "Paste the output of the tool" : null),
      measured_at: (value, { tool }) =>
        !WITH_TIME.includes(tool) && value === "" ? "Enter when it was measured" : null,
    },
  });
  const onSubmit = submit(async ({ tool, output, from_node, to_node, measured_at }) => {
    const at = fromInputTime(measured_at, zone);
    const body: PasteNetworkRequest =
      tool === "hawser-network-probe"
        ? { tool, output }
        : { tool, output, from_node, to_node, ...(at ? { measured_at: at } : {}) };
    await paste.mutateAsync(body);
    form.reset();
    showSuccess("Measurement stored, not signed.");
  });
  return { form, onSubmit, problem, isPending: paste.isPending };
}

function PasteForm({ link }: { link: LinkDetail }) {
  const { zone } = useTimeZone();
  const { form, onSubmit, problem, isPending } = usePasteForm(link);
  const { near, far } = endsOf(link);
  const nodes = optionsOf([...near, ...far]);
  const { tool } = form.values;
  const inside = outputError(problem);
  return (
    <form className="stack" onSubmit={onSubmit}>
      <div className="row top">
        <NativeSelect label="Tool" data={TOOL_OPTIONS} {...form.getInputProps("tool")} />
        {tool !== "hawser-network-probe" && (
          <>
            <NativeSelect label="It ran on" data={nodes} {...form.getInputProps("from_node")} />
            <NativeSelect label="Measured to" data={nodes} {...form.getInputProps("to_node")} />
          </>
        )}
        {!WITH_TIME.includes(tool) && (
          <TextInput
            type="datetime-local"
            step={1}
            label={`Measured at (${zoneLabel(zone)})`}
            {...form.getInputProps("measured_at")}
          />
        )}
      </div>
      <Textarea
        label="Output"
        description="All of it, as the tool printed it"
        classNames={{ input: css.output ?? "" }}
        rows={8}
        spellCheck={false}
        {...form.getInputProps("output")}
        error={inside ?? form.errors.output}
      />
      {problem !== null && inside === null && (
        <ProblemAlert error={problem} action="store the measurement" />
      )}
      <div>
        <Button type="submit" variant="default" loading={isPending}>
          Store measurement
        </Button>
      </div>
    </form>
  );
}

/** The output of a tool, pasted by hand. */
export function PastePanel({ link }: { link: LinkDetail }) {
  return (
    <Panel title="Paste a result" aside="Stored as not signed">
      <PasteForm link={link} />
    </Panel>
  );
}
