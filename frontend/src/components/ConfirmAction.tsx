import { Button, type ButtonProps, Group, Modal } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { DisabledReasonButton } from "./DisabledReasonButton";
import { ProblemAlert } from "./ProblemAlert";
import { showSuccess } from "./toast";

interface ConfirmActionProps extends ButtonProps {
  /** The button that opens the question; "…" is added, since input follows. */
  label: string;
  /** What the button acts on, for screen readers, where the label does not name it. */
  subject?: string;
  /** The question's heading: the operation and its object. */
  title: string;
  /** What happens, and whether it can be undone. */
  children: ReactNode;
  /** The confirming button repeats the operation and its object. */
  confirmLabel: string;
  onConfirm: () => Promise<unknown>;
  /** For "Could not {action}" where it fails. */
  action: string;
  /** The toast after a success. */
  success?: string;
  /** Why the button is disabled; left out where it is not. */
  disabledReason?: string | null;
}

/** A button for an operation that cannot be undone: it asks first, and reports a failure there. */
export function ConfirmAction(props: ConfirmActionProps) {
  const { label, subject, title, children, confirmLabel, onConfirm, action, success, ...rest } =
    props;
  const { disabledReason = null, ...look } = rest;
  const [isOpen, setOpen] = useState(false);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const open = () => {
    setError(null);
    setOpen(true);
  };
  const confirm = async () => {
    setPending(true);
    setError(null);
    try {
      await onConfirm();
      setOpen(false);
      if (success) showSuccess(success);
    } catch (cause) {
      setError(cause);
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      <DisabledReasonButton
        size="xs"
        variant="default"
        {...look}
        disabledReason={disabledReason}
        onClick={open}
      >
        {label}…{subject && <span className="sr-only"> {subject}</span>}
      </DisabledReasonButton>
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
