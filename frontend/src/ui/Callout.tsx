import type { ReactNode } from "react";
import css from "./Callout.module.css";
import { Panel } from "./Panel";
import type { Tone } from "./StatusIcon";

/** A statement with its explanation and the actions that fit it. */
export function Callout(props: {
  tone: Tone;
  title: ReactNode;
  description?: ReactNode;
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
          <div className={css.sentence}>{props.title}</div>
          {props.description && <div className={css.detail}>{props.description}</div>}
        </div>
        {props.actions && <div className={`${css.actions} no-print`}>{props.actions}</div>}
      </div>
    </Panel>
  );
}
