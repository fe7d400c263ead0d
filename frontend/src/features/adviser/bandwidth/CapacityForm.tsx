import { NumberInput } from "@mantine/core";
import { useSetLineCapacity } from "@/api/resources/bandwidth";
import type { Bandwidth } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { useRefusal } from "@/components/use-refusal";
import { useServerForm } from "@/components/use-server-form";

interface Values extends Record<string, unknown> {
  mbit_per_s: number | string;
}

/** The capacity with which the load is compared; an empty field removes it. */
export function CapacityForm({ found }: { found: Bandwidth }) {
  const save = useSetLineCapacity(found.cluster_id);
  const refusal = useRefusal("plan");
  const { form, submit, problem } = useServerForm<Values>({
    initialValues: { mbit_per_s: found.capacity?.mbit_per_s ?? "" },
  });
  const onSubmit = submit(async ({ mbit_per_s: given }) => {
    await save.mutateAsync(given === "" ? null : Number(given));
    showSuccess(given === "" ? "Capacity removed." : "Capacity stored.");
  });
  return (
    <form className="stack no-print" onSubmit={onSubmit} noValidate>
      {problem !== null && <ProblemAlert error={problem} action="store the capacity" />}
      <div className="row top">
        <NumberInput
          label="Capacity, Mbit/s"
          description="each way; empty: unknown"
          hideControls
          w={190}
          {...form.getInputProps("mbit_per_s")}
        />
        <DisabledReasonButton
          type="submit"
          variant="default"
          mt={40}
          disabledReason={refusal}
          loading={save.isPending}
        >
          Store capacity
        </DisabledReasonButton>
      </div>
    </form>
  );
}
