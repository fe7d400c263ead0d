import { Group, NumberInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { noPasswords } from "./RepeatedPasswords";

export interface NodeValues extends Record<string, unknown> {
  name: string;
  host: string;
  port: number;
  passwords: ReturnType<typeof noPasswords>;
  accept_unreachable: boolean;
  reason: string;
}

/** The name and the address of a node. */
export function NodeFields({ form }: { form: UseFormReturnType<NodeValues> }) {
  return (
    <>
      <TextInput label="Name" required {...form.getInputProps("name")} />
      <Group align="flex-start" gap="sm">
        <TextInput label="Host" required spellCheck={false} {...form.getInputProps("host")} />
        <NumberInput
          label="Port"
          min={1}
          max={65535}
          w={110}
          required
          {...form.getInputProps("port")}
        />
      </Group>
    </>
  );
}
