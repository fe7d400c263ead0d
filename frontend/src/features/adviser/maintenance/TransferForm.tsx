import { Button, Group, NumberInput, Select } from "@mantine/core";
import type { TransferGiven } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";

const GB = 1e9;
const METHODS = ["mariabackup", "rsync", "mysqldump"];

interface Values extends Record<string, unknown> {
  data_bytes: number | "";
  method: string | null;
  line_mbit_per_s: number | "";
  throughput_mb_per_s: number | "";
  apply_per_s: number | "";
}

const NOTHING: Values = {
  data_bytes: "",
  method: null,
  line_mbit_per_s: "",
  throughput_mb_per_s: "",
  apply_per_s: "",
};

/** Only what was filled in; a size is typed in GB. */
function givenOf({ data_bytes: size, method, ...rest }: Values): TransferGiven {
  const filled = Object.entries(rest).filter(([, value]) => value !== "");
  return {
    ...Object.fromEntries(filled),
    ...(size === "" ? {} : { data_bytes: size * GB }),
    ...(method === null ? {} : { method }),
  };
}

/** What Hawser does not read of the servers. */
export function TransferForm({ ask }: { ask: (given: TransferGiven) => Promise<unknown> }) {
  const { form, submit, problem } = useServerForm<Values>({ initialValues: NOTHING });
  return (
    <form onSubmit={submit((values) => ask(givenOf(values)))} noValidate>
      {problem !== null && <ProblemAlert error={problem} action="forecast the SST" />}
      <Group align="flex-start" gap="sm">
        <NumberInput
          label="Data, GB"
          description="of 10⁹ bytes"
          w={130}
          hideControls
          {...form.getInputProps("data_bytes")}
        />
        <NumberInput
          label="Line, Mbit/s"
          description="the slowest part"
          w={130}
          hideControls
          {...form.getInputProps("line_mbit_per_s")}
        />
        <NumberInput
          label="Throughput, MB/s"
          description="of an earlier copy"
          w={150}
          hideControls
          {...form.getInputProps("throughput_mb_per_s")}
        />
        <NumberInput
          label="Applied, write-sets/s"
          description="else the most seen"
          w={170}
          hideControls
          {...form.getInputProps("apply_per_s")}
        />
        <Select
          label="Method"
          description="else as the node has it"
          placeholder="as set"
          data={METHODS}
          clearable
          w={170}
          {...form.getInputProps("method")}
        />
      </Group>
      <Group mt={12}>
        <Button type="submit" size="xs">
          Forecast
        </Button>
      </Group>
    </form>
  );
}
