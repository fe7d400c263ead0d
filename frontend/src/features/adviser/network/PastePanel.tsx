import { Button, Textarea } from "@mantine/core";
import { Problem } from "@/api/problem";
import { usePasteResult } from "@/api/resources/network";
import type { LinkDetail } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { Panel } from "@/ui/Panel";
import css from "./Network.module.css";

/** What the server says of a field inside the output. */
function outputError(problem: unknown): string | null {
  if (!(problem instanceof Problem)) return null;
  const inside = problem.errors.find(({ field }) => field.startsWith("output."));
  return inside ? `${inside.field.slice("output.".length)}: ${inside.message}` : null;
}

function PasteForm({ link }: { link: LinkDetail }) {
  const paste = usePasteResult(link.id);
  const { form, submit, problem } = useServerForm({
    initialValues: { output: "" },
    validate: {
      output: (value) => (value.trim() === "" ? "Paste what the script printed" : null),
    },
  });
  const onSubmit = submit(async (body) => {
    await paste.mutateAsync(body);
    form.reset();
    showSuccess("Measurement stored, not signed.");
  });
  const inside = outputError(problem);
  return (
    <form className="stack" onSubmit={onSubmit}>
      <Textarea
        label="Output"
        description="All that hawser-network-probe printed"
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
        <Button type="submit" variant="default" loading={paste.isPending}>
          Store measurement
        </Button>
      </div>
    </form>
  );
}

/** A result of the probe, pasted from a host that cannot reach the console. */
export function PastePanel({ link }: { link: LinkDetail }) {
  return (
    <Panel title="Paste a result" aside="Stored as not signed">
      <PasteForm link={link} />
    </Panel>
  );
}
