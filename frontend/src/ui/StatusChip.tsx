import type { ReactNode } from "react";
import css from "./StatusChip.module.css";
import type { Tone } from "./StatusIcon";
import { StatusIcon } from "./StatusIcon";

/** A status as a shape, a word and a colour. With `iconOnly` the word is for screen readers only. */
export function StatusChip(props: {
  tone: Tone;
  children: ReactNode;
  iconOnly?: boolean;
  title?: string;
  tick?: boolean;
}) {
  return (
    <span
      className={`${css.chip} ${css[props.tone]} ${props.iconOnly ? css.compact : ""}`}
      title={props.title}
    >
      <StatusIcon tone={props.tone} tick={props.tick ?? false} />
      {props.iconOnly ? (
        <span className="sr-only">{props.children}</span>
      ) : (
        <span>{props.children}</span>
      )}
    </span>
  );
}
