import { Button, Checkbox, Group, TextInput } from "@mantine/core";
import css from "./Concurrency.module.css";
import { changed, type DelayRows, MOST_SITES, resized } from "./delay-matrix";

interface Props {
  rows: DelayRows;
  differ: boolean;
  setRows: (rows: DelayRows) => void;
  setDiffer: (differ: boolean) => void;
}

/** One field for each way between two sites. */
function Fields({ rows, differ, setRows }: Props) {
  return (
    <div className={css.ways}>
      {rows.flatMap((row, a) =>
        row.map((cell, b) =>
          a === b || (!differ && b < a) ? null : (
            <TextInput
              // biome-ignore lint/suspicious/noArrayIndexKey: a site is its number
              key={`${a}-${b}`}
              label={differ ? `Site ${a + 1} to ${b + 1}` : `Site ${a + 1} and ${b + 1}`}
              value={cell}
              inputMode="decimal"
              onChange={(event) => {
                setRows(changed(rows, [a, b], event.currentTarget.value, differ));
              }}
            />
          ),
        ),
      )}
    </div>
  );
}

/** The one-way delays between sites, in milliseconds. */
export function DelayMatrix(props: Props) {
  const { rows, differ, setRows, setDiffer } = props;
  return (
    <fieldset className={css.fieldset}>
      <legend>One-way delays, ms</legend>
      <Fields {...props} />
      <Group gap="sm" mt={10}>
        <Button
          variant="default"
          size="xs"
          disabled={rows.length >= MOST_SITES}
          onClick={() => setRows(resized(rows, rows.length + 1))}
        >
          Add site
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={rows.length <= 2}
          onClick={() => setRows(resized(rows, rows.length - 1))}
        >
          Remove site
        </Button>
        <Checkbox
          label="Ways there and back differ"
          checked={differ}
          onChange={(event) => setDiffer(event.currentTarget.checked)}
        />
      </Group>
    </fieldset>
  );
}
