import { Button, TextInput } from "@mantine/core";
import { useAddPasskey } from "@/api/resources/second-factors";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { hasPasskeys } from "@/lib/passkey";

/** Adds a passkey of this device, of a phone or of a security key. */
export function AddPasskeyForm({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const add = useAddPasskey();
  const { form, submit, problem } = useServerForm({ initialValues: { name: "" } });
  if (!hasPasskeys())
    return (
      <p className="dim">
        This browser cannot add passkeys here: they need HTTPS and a current browser.
      </p>
    );
  const send = submit(async ({ name }) => {
    const { recovery_codes } = await add.mutateAsync(name);
    form.reset();
    showSuccess("Passkey added.");
    onCodes(recovery_codes);
  });
  return (
    <form onSubmit={send}>
      <div className="row top">
        <TextInput
          label="Name of the passkey"
          placeholder="Laptop"
          maxLength={63}
          w={200}
          required
          withAsterisk={false}
          {...form.getInputProps("name")}
        />
        <Button type="submit" variant="default" className="beside" loading={add.isPending}>
          Add a passkey
        </Button>
      </div>
      {problem !== null && <ProblemAlert error={problem} action="add the passkey" />}
    </form>
  );
}
