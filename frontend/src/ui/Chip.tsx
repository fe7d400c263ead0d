import type { ReactNode } from "react";
import type { Tone } from "@/lib/tone";
import css from "./Chip.module.css";
import { Mark } from "./Mark";

/** Shape + word + colour. With `hideWord` the word stays for screen readers. */
export function Chip(props: {
  tone: Tone;
  children: ReactNode;
  hideWord?: boolean;
  title?: string;
  tick?: boolean;
}) {
  return (
    <span
      className={`${css.chip} ${css[props.tone]} ${props.hideWord ? css.compact : ""}`}
      title={props.title}
    >
      <Mark tone={props.tone} tick={props.tick ?? false} />
      {props.hideWord ? (
        <span className="sr-only">{props.children}</span>
      ) : (
        <span>{props.children}</span>
      )}
    </span>
  );
}
