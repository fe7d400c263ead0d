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
  /** Read the text out whenever it changes. */
  live?: boolean;
  /** Read this out when it changes, not the text: for a text with an age, which is another one at each read. */
  announcement?: string;
  stale?: boolean;
}) {
  return (
    <Panel tone={props.tone}>
      <div className={css.banner}>
        {props.announcement !== undefined && (
          <div className="sr-only" role="status">
            {props.announcement}
          </div>
        )}
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
