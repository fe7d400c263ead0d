import { useResumeRun } from "@/api/resources/runs";
import type { Run } from "@/api/types";
import { CommentForm } from "@/components/CommentForm";
import { useCan } from "@/components/use-session";
import { Panel } from "@/ui/Panel";

/** A run that stopped and that an operator can resume. */
export function ResumePanel({ run }: { run: Run }) {
  const mayRun = useCan("run");
  const resume = useResumeRun(run);
  if (run.state !== "needs_operator") return null;
  return (
    <Panel title="Operator action required" tone="bad">
      <p>{run.next_action || run.outcome}</p>
      {mayRun && (
        <CommentForm
          submitLabel="Recheck nodes and resume"
          isPending={resume.isPending}
          action="resume the run"
          onSubmit={(comment) => resume.mutateAsync(comment)}
        />
      )}
    </Panel>
  );
}
