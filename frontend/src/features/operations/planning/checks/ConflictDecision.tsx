import { NativeSelect } from "@mantine/core";
import type { Decision } from "./conflicts";

/** The choice what a replay does with one row, or with all rows of a table. */
export function ConflictDecision(props: {
  label: string;
  undecided: string;
  value: Decision | "";
  onChange: (decision: Decision | "") => void;
}) {
  return (
    <NativeSelect
      maw={420}
      label={props.label}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value as Decision | "")}
      data={[
        { value: "", label: props.undecided },
        { value: "keep_active", label: "Keep the row of the active side" },
        { value: "take_orphan", label: "Use the row of the orphaned transaction" },
        { value: "leave_out", label: "Skip the transaction" },
      ]}
    />
  );
}
