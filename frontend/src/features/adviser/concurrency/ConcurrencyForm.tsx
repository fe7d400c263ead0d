import { Button, Group, NumberInput } from "@mantine/core";
import { ProblemAlert } from "@/components/ProblemAlert";
import { DelayMatrix } from "./DelayMatrix";
import { type Field, NAMES, type useConcurrencyForm } from "./use-concurrency-form";

const LABELS: Record<Field, readonly [string, string]> = {
  writer: ["Writing site", "its number"],
  send_window: ["Send window", "evs.user_send_window"],
  wanted_per_s: ["Wanted commits/s", "of all writers"],
  own_rate_per_s: ["Commits/s without distance", "empty: no limit"],
  write_set_bytes: ["Large write-set, bytes", "of one transaction"],
};

/** The delays and what is asked of them. */
export function ConcurrencyForm(props: ReturnType<typeof useConcurrencyForm>) {
  const { form, onSubmit, problem, rows, setRows, differ, setDiffer } = props;
  return (
    <form onSubmit={onSubmit} noValidate>
      <div className="stack">
        {problem !== null && <ProblemAlert error={problem} action="compute the commits" />}
        <DelayMatrix rows={rows} differ={differ} setRows={setRows} setDiffer={setDiffer} />
        <Group align="flex-start" gap="sm">
          {NAMES.map((name) => (
            <NumberInput
              key={name}
              label={LABELS[name][0]}
              description={LABELS[name][1]}
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
