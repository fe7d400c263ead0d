import { Button, type ButtonProps, Group, Modal } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { ProblemAlert } from "./ProblemAlert";

interface ConfirmActionProps extends ButtonProps {
  /** The button that asks; it ends with "…" on screen, since a question follows. */
  label: string;
  /** The question's heading: the operation and its object. */
  title: string;
  /** What happens, and whether it can be undone. */
  children: ReactNode;
  /** The button that does it repeats the operation and its object. */
  confirmLabel: string;
  onConfirm: () => Promise<unknown>;
  /** For "Could not {action}" where it fails. */
  action: string;
}

/** A button for what cannot be taken back: it asks first, and says where it failed. */
export function ConfirmAction(props: ConfirmActionProps) {
  const { label, title, children, confirmLabel, onConfirm, action, ...look } = props;
  const [isOpen, setOpen] = useState(false);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const confirm = async () => {
    setPending(true);
    setError(null);
    try {
      await onConfirm();
      setOpen(false);
    } catch (cause) {
      setError(cause);
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      <Button size="xs" variant="default" {...look} onClick={() => setOpen(true)}>
        {label}…
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={title} centered>
        <div className="stack">
          <div>{children}</div>
          {error !== null && <ProblemAlert error={error} action={action} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setOpen(false)} data-autofocus>
              Cancel
            </Button>
            <Button color="red" loading={isPending} onClick={() => void confirm()}>
              {confirmLabel}
            </Button>
          </Group>
        </div>
      </Modal>
    </>
  );
}
