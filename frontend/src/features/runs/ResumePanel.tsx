import { Button, TextInput } from "@mantine/core";
import { useResumeRun } from "@/api/resources/runs";
import type { Run } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
import { useCan } from "@/components/use-session";
import { Panel } from "@/ui/Panel";

function ResumeForm({ run }: { run: Run }) {
  const resume = useResumeRun(run);
  const { form, submit, problem } = useServerForm({ initialValues: { comment: "" } });
  return (
    <form
      className="stack attest"
      onSubmit={submit(({ comment }) => resume.mutateAsync(comment.trim()))}
    >
      {problem !== null && <ProblemAlert error={problem} action="resume the run" />}
      <TextInput
        label="Comment"
        description="Recorded in the audit log"
        maxLength={2000}
        {...form.getInputProps("comment")}
      />
      <div className="row">
        <Button type="submit" loading={resume.isPending}>
          Recheck nodes and resume
        </Button>
      </div>
    </form>
  );
}

/** A run that stopped and that an operator can resume. */
export function ResumePanel({ run }: { run: Run }) {
  const mayRun = useCan("run");
  if (run.state !== "needs_operator") return null;
  return (
    <Panel title="Operator action required" tone="bad">
      <p>{run.next_action || run.outcome}</p>
      {mayRun && <ResumeForm run={run} />}
    </Panel>
  );
}
