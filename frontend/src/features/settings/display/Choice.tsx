import { SegmentedControl } from "@mantine/core";
import { useId } from "react";
import css from "./Display.module.css";

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** One of a few values, all of them visible; it is stored at once. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, options, onChange } = props;
  const id = useId();
  const choose = (chosen: string) => {
    const option = options.find((each) => each.value === chosen);
    if (option) onChange(option.value);
  };
  return (
    <div className={css.choice}>
      <span id={id} className={css.label}>
        {label}
      </span>
      <SegmentedControl
        aria-labelledby={id}
        className="fit"
        value={value}
        onChange={choose}
        data={[...options]}
      />
    </div>
  );
}
