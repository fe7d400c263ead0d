import { Button, Modal, NumberInput } from "@mantine/core";
import { useState } from "react";
import { useRotateToken } from "@/api/resources/tokens";
import type { Token } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useServerForm } from "@/components/use-server-form";
import { TokenSecret } from "./CreateTokenForm";

function Form({ token }: { token: Token }) {
  const rotate = useRotateToken();
  const { form, submit, problem } = useServerForm({
    initialValues: { overlap_s: 3600 as number | string },
  });
  const send = submit(({ overlap_s }) =>
    rotate.mutateAsync({ token_id: token.id, overlap_s: Number(overlap_s) }),
  );
  if (rotate.data) return <TokenSecret secret={rotate.data.token} />;
  return (
    <form onSubmit={send} className="stack">
      <p className="dim">
        A new token with the same limits is created. The old one stays valid for this time, so that
        you can change what uses it.
      </p>
      <NumberInput
        label="Old token stays valid for (seconds)"
        min={0}
        max={604_800}
        required
        {...form.getInputProps("overlap_s")}
      />
      {problem !== null && <ProblemAlert error={problem} action="rotate the token" />}
      <Button type="submit" loading={rotate.isPending}>
        Rotate token
      </Button>
    </form>
  );
}

/** Replaces a token by one with the same limits and a new secret. */
export function RotateToken({ token }: { token: Token }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        Rotate token…<span className="sr-only"> {token.label}</span>
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Rotate token ${token.label}`} centered>
        <Form token={token} />
      </Modal>
    </>
  );
}
