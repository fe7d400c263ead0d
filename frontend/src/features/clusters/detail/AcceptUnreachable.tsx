import { Checkbox } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";

interface AcceptUnreachableProps {
  form: UseFormReturnType<{ accept_unreachable: boolean }>;
  /** The code of the last refusal. */
  refusal: string | null;
}

/** Offered after the server refused a change because a node did not respond. */
export function AcceptUnreachable({ form, refusal }: AcceptUnreachableProps) {
  if (refusal !== "nodes_not_tried" && !form.getValues().accept_unreachable) return null;
  return (
    <Checkbox
      label="Save without a try on nodes that are not responding"
      description="Whether the change works on these nodes stays unknown until they respond."
      {...form.getInputProps("accept_unreachable", { type: "checkbox" })}
    />
  );
}
