import type { ReactNode } from "react";
import css from "./Stepper.module.css";

export interface StepperItem {
  key: string;
  label: string;
  state: "done" | "refused" | "now" | "ahead";
  /** On a page of all steps: the step that is being read. */
  isInView?: boolean;
  /** Wraps the step in a link where its page may be opened. */
  wrap?: (inner: ReactNode, className: string) => ReactNode;
}

const Tick = () => (
  <svg
    width="10"
    height="10"
    viewBox="0 0 10 10"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    aria-hidden="true"
  >
    <path d="M1.5 5.4 4 7.8 8.6 2.4" />
  </svg>
);

const Cross = () => (
  <svg
    width="10"
    height="10"
    viewBox="0 0 10 10"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    aria-hidden="true"
  >
    <path d="M2 2 8 8 M8 2 2 8" />
  </svg>
);

const MARKS = { done: <Tick />, refused: <Cross /> };

/** The steps of a guided workflow, with the current one marked. */
export function Stepper(props: {
  label: string;
  items: readonly StepperItem[];
  /** On a narrow screen only the step that is being read has its name beside its number. */
  isCompact?: boolean;
}) {
  const { label, items, isCompact = false } = props;
  return (
    <nav aria-label={label} className="no-print">
      <ol className={`${css.steps} ${isCompact ? css.compact : ""}`}>
        {items.map((item, index) => {
          const inner = (
            <>
              <span className={css.bead}>
                {item.state in MARKS ? MARKS[item.state as keyof typeof MARKS] : index + 1}
              </span>
              <span className={css.label}>{item.label}</span>
              {item.state in MARKS && <span className="sr-only"> ({item.state})</span>}
            </>
          );
          return (
            <li
              key={item.key}
              className={`${css.step} ${css[item.state] ?? ""} ${item.isInView ? css.inView : ""}`}
              aria-current={item.state === "now" ? "step" : undefined}
            >
              {item.wrap ? (
                item.wrap(inner, css.inner ?? "")
              ) : (
                <span className={css.inner}>{inner}</span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
