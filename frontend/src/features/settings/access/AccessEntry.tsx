import type { ReactNode } from "react";
import { ConfirmAction } from "@/components/ConfirmAction";
import css from "./Access.module.css";

/** How a session or token is ended. */
export interface EndAccess {
  label: string;
  /** Which session or token, for screen readers and the confirmation. */
  subject: string;
  /** What follows. */
  effect: ReactNode;
  action: string;
  success: string;
  end: () => Promise<unknown>;
}

interface EntryProps {
  name: ReactNode;
  facts: ReactNode;
  /** Null where it cannot be ended from here. */
  ending: EndAccess | null;
  /** Another button. */
  more?: ReactNode;
}

/** One session or token, and the button that ends it. */
export function AccessEntry({ name, facts, ending, more }: EntryProps) {
  return (
    <li className={css.entry}>
      <div className="grow">
        <div className="strong">{name}</div>
        <div className="dim">{facts}</div>
      </div>
      {more}
      {ending && (
        <ConfirmAction
          label={ending.label}
          subject={ending.subject}
          title={`${ending.label}: ${ending.subject}`}
          confirmLabel={ending.label}
          action={ending.action}
          success={ending.success}
          onConfirm={ending.end}
        >
          {ending.effect}
        </ConfirmAction>
      )}
    </li>
  );
}
