import { Button, Group, NumberInput } from "@mantine/core";
import { useState } from "react";
import type { ConcurrencyGiven } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
import { DelayMatrix } from "./DelayMatrix";
import { evenDelays, queryOf } from "./delay-matrix";

const FIELDS = {
  writer: ["Writing site", "its number"],
  send_window: ["Send window", "evs.user_send_window"],
  wanted_per_s: ["Wanted commits/s", "of all writers"],
  own_rate_per_s: ["Commits/s without distance", "empty: no limit"],
  write_set_bytes: ["Large write-set, bytes", "of one transaction"],
} as const;

type Field = keyof typeof FIELDS;
type Values = Record<Field, number | "">;

const NAMES = Object.keys(FIELDS) as Field[];
const FIRST: Values = {
  writer: 1,
  send_window: 2,
  wanted_per_s: 200,
  own_rate_per_s: "",
  write_set_bytes: 1_048_576,
};

const filled = (values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));

const FIRST_ROWS = evenDelays(2, "25");

/** What the page shows first: two sites, 50 ms there and back. */
export const FIRST_GIVEN: ConcurrencyGiven = { delays_ms: queryOf(FIRST_ROWS), ...filled(FIRST) };

/** The delays and what is asked of them. */
export function ConcurrencyForm({ ask }: { ask: (given: ConcurrencyGiven) => Promise<unknown> }) {
  const [rows, setRows] = useState(FIRST_ROWS);
  const [differ, setDiffer] = useState(false);
  const { form, submit, problem } = useServerForm<Values>({ initialValues: FIRST });
  return (
    <form
      onSubmit={submit((values) => ask({ delays_ms: queryOf(rows), ...filled(values) }))}
      noValidate
    >
      <div className="stack">
        {problem !== null && <ProblemAlert error={problem} action="compute the commits" />}
        <DelayMatrix rows={rows} differ={differ} setRows={setRows} setDiffer={setDiffer} />
        <Group align="flex-start" gap="sm">
          {NAMES.map((name) => (
            <NumberInput
              key={name}
              label={FIELDS[name][0]}
              description={FIELDS[name][1]}
              w={190}
              hideControls
              {...form.getInputProps(name)}
            />
          ))}
        </Group>
        <Group>
          <Button type="submit" size="xs">
            Compute
          </Button>
        </Group>
      </div>
    </form>
  );
}
