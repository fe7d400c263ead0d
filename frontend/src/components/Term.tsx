import { Popover, UnstyledButton } from "@mantine/core";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import glossary from "@/domain/glossary.json";
import { CodeInText } from "./CodeInText";
import css from "./Term.module.css";

/** Long enough to move the pointer from the term to its definition. */
const LEAVE_MS = 200;

/** Open while the term is pointed at or has the focus; Escape closes it, whatever has the focus. */
function useDefinition() {
  const [isOpen, setOpen] = useState(false);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stay = () => {
    clearTimeout(leaving.current);
    setOpen(true);
  };
  const leave = () => {
    leaving.current = setTimeout(() => setOpen(false), LEAVE_MS);
  };
  useEffect(() => () => clearTimeout(leaving.current), []);
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (event: KeyboardEvent) => {
      if (event.key === "Escape") setOpen(false);
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [isOpen]);
  return { isOpen, stay, leave, close: () => setOpen(false) };
}

export type TermName = keyof typeof glossary;

export const isTerm = (name: string): name is TermName => name in glossary;

/** A term of the glossary with its definition on hover, focus and tap. */
export function Term({ of, children }: { of: TermName; children?: ReactNode }) {
  const { isOpen, stay, leave, close } = useDefinition();
  const id = useId();
  return (
    <Popover
      opened={isOpen}
      withinPortal
      withRoles={false}
      returnFocus={false}
      closeOnEscape={false}
      position="top"
      withArrow
      width={320}
    >
      <Popover.Target>
        <UnstyledButton
          className={css.term}
          aria-describedby={id}
          onMouseEnter={stay}
          onMouseLeave={leave}
          onFocus={stay}
          onBlur={close}
          onClick={stay}
        >
          {children ?? of}
          <span id={id} hidden>
            {glossary[of].replaceAll("`", "")}
          </span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown
        className={css.definition}
        role="tooltip"
        onMouseEnter={stay}
        onMouseLeave={leave}
      >
        <b>{of}</b>: <CodeInText text={glossary[of]} />
      </Popover.Dropdown>
    </Popover>
  );
}
