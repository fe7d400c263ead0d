import { Checkbox, NumberInput, Textarea } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type BudgetValues, loadText } from "./budget";

interface BudgetFieldsProps {
  /** Of a form that may have more fields. */
  inputProps: UseFormReturnType<BudgetValues>["getInputProps"];
  values: BudgetValues;
  disabled?: boolean;
}

/** Which rows a comparison reads, how much it may take of the nodes, and the load to expect. */
export function BudgetFields({ inputProps, values, disabled = false }: BudgetFieldsProps) {
  return (
    <>
      <Checkbox
        label="Compare every node of both sides"
        description="Otherwise one node of each side: the others do no work for it."
        disabled={disabled}
        {...inputProps("every_node", { type: "checkbox" })}
      />
      <Textarea
        label="Only these schemas or tables"
        description="SCHEMA or SCHEMA.TABLE, one a line; all tables where it is empty"
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        disabled={disabled}
        {...inputProps("only")}
      />
      <NumberInput
        label="Rows per second, at most"
        min={10}
        max={1_000_000}
        allowDecimal={false}
        thousandSeparator=","
        disabled={disabled}
        {...inputProps("rows_per_s")}
      />
      <NumberInput
        label="Share of time (%), at most"
        description="In which a node works for it"
        min={1}
        max={90}
        allowDecimal={false}
        disabled={disabled}
        {...inputProps("busy_percent")}
      />
      <p className="dim">
        <b>Nothing is written on any node.</b> {loadText(values)}
      </p>
    </>
  );
}
