import type { ReactNode } from "react";
import type { Tone } from "@/lib/tone";
import { Panel } from "./Panel";
import css from "./Statement.module.css";

/** The sentence that says what is the matter, what follows from it, and the action that fits. */
export function Statement(props: {
  tone: Tone;
  sentence: ReactNode;
  detail?: ReactNode;
  actions?: ReactNode;
  live?: boolean;
  stale?: boolean;
}) {
  return (
    <Panel tone={props.tone}>
      <div className={css.banner}>
        <div
          className={`${css.text} ${props.stale ? "stale" : ""}`}
          role={props.live ? "status" : undefined}
        >
          <div className={css.sentence}>{props.sentence}</div>
          {props.detail && <div className={css.detail}>{props.detail}</div>}
        </div>
        {props.actions && <div className={`${css.actions} no-print`}>{props.actions}</div>}
      </div>
    </Panel>
  );
}
