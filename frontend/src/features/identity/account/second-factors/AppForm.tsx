import { Button, TextInput } from "@mantine/core";
import { useAddApp } from "@/api/resources/second-factors";
import type { TotpSecret } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
import { Copyable } from "@/ui/CopyButton";

interface AppFormProps {
  begun: TotpSecret;
  onCodes: (codes: string[]) => void;
  onCancel: () => void;
}

/** The secret as a picture and as text, and the first code, which proves that the app has it. */
export function AppForm({ begun, onCodes, onCancel }: AppFormProps) {
  const add = useAddApp();
  const { form, submit, problem } = useServerForm({ initialValues: { code: "" } });
  const send = submit(async ({ code }) => {
    const { recovery_codes } = await add.mutateAsync(code);
    onCodes(recovery_codes);
  });
  return (
    <form onSubmit={send} className="stack">
      <p>Scan the picture with the app, or type the secret. Then enter the code that it shows.</p>
      <img src={begun.qr_code} alt="QR code for the authenticator app" width={220} height={220} />
      <p>
        Secret: <Copyable text={begun.secret} label="the secret" />
      </p>
      <TextInput
        label="Code of the app"
        autoComplete="one-time-code"
        inputMode="numeric"
        w={200}
        required
        withAsterisk={false}
        {...form.getInputProps("code")}
      />
      {problem !== null && <ProblemAlert error={problem} action="add the app" />}
      <div className="row">
        <Button type="submit" loading={add.isPending}>
          Add the app
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
