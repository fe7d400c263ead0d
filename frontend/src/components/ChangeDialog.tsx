import { type ButtonProps, Modal } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { DisabledReasonButton } from "./DisabledReasonButton";

interface ChangeDialogProps extends Omit<ButtonProps, "children"> {
  /** The button that opens the form; "…" is added, since input follows. */
  label: string;
  /** What the button acts on, for screen readers, where the label does not name it. */
  subject?: string;
  /** The heading of the form: the change and its object. */
  title: string;
  /** Why this user cannot make the change; null where they can. */
  disabledReason: string | null;
  /** The form, which begins with the current values each time; `close` ends it. */
  children: (close: () => void) => ReactNode;
}

/** A button and the form that it opens. */
export function ChangeDialog(props: ChangeDialogProps) {
  const { label, subject, title, disabledReason, children, ...look } = props;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <DisabledReasonButton
        size="xs"
        variant="default"
        {...look}
        disabledReason={disabledReason}
        onClick={() => setOpen(true)}
      >
        {label}…{subject && <span className="sr-only"> {subject}</span>}
      </DisabledReasonButton>
      <Modal opened={isOpen} onClose={close} title={title} centered>
        {children(close)}
      </Modal>
    </>
  );
}
