import { Textarea } from "@mantine/core";
import { usePasteCounters } from "@/api/resources/bandwidth";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { useRefusal } from "@/components/use-refusal";
import { useServerForm } from "@/components/use-server-form";
import css from "./Bandwidth.module.css";

/** Takes the report of a lab's router. */
export function CountersForm({ clusterId }: { clusterId: string }) {
  const paste = usePasteCounters(clusterId);
  const refusal = useRefusal("plan");
  const { form, submit, problem } = useServerForm({
    initialValues: { output: "" },
    validate: { output: (value) => (value.trim() === "" ? "Paste the report" : null) },
  });
  const onSubmit = submit(async ({ output }) => {
    await paste.mutateAsync(output);
    form.reset();
    showSuccess("Counters stored.");
  });
  return (
    <form className="stack no-print" onSubmit={onSubmit} noValidate>
      {problem !== null && <ProblemAlert error={problem} action="store the counters" />}
      <Textarea
        label="Report of the lab's router"
        description="What make lab ARGS='wan --json' prints, whole; wan reset begins to count afresh"
        classNames={{ input: css.output ?? "" }}
        rows={5}
        spellCheck={false}
        {...form.getInputProps("output")}
      />
      <div>
        <DisabledReasonButton
          type="submit"
          variant="default"
          size="xs"
          disabledReason={refusal}
          loading={paste.isPending}
        >
          Store counters
        </DisabledReasonButton>
      </div>
    </form>
  );
}
