import { Button } from "@mantine/core";
import { createContext, createElement, type ReactNode, useContext, useId } from "react";
import { ErrorBoundary } from "react-error-boundary";
import css from "./Panel.module.css";
import type { Tone } from "./StatusIcon";

/** The heading of a panel: one level lower where panels stand below the heading of a section. */
export const PanelHeadingContext = createContext<"h2" | "h3">("h2");

interface PanelProps {
  title?: ReactNode;
  aside?: ReactNode;
  tone?: Tone;
  children: ReactNode;
  className?: string;
}

function Crashed({
  error,
  resetErrorBoundary,
}: {
  error: unknown;
  resetErrorBoundary: () => void;
}) {
  return (
    <div role="alert">
      <p className="strong">This panel failed to load. The rest of the page is not affected.</p>
      <p className="dim mono">{error instanceof Error ? error.message : String(error)}</p>
      <Button variant="default" size="xs" mt={8} onClick={resetErrorBoundary}>
        Reload panel
      </Button>
    </div>
  );
}

/** A named region of the page. An error inside it does not affect the rest of the page. */
export function Panel({ title, aside, tone, children, className = "" }: PanelProps) {
  const id = useId();
  const heading = useContext(PanelHeadingContext);
  return (
    <section
      className={`panel ${css.panel} ${tone ? css[tone] : ""} ${className}`}
      aria-labelledby={title ? id : undefined}
    >
      {title !== undefined && (
        <div className={css.head}>
          {createElement(heading, { className: css.title, id }, title)}
          {aside !== undefined && <div className={css.aside}>{aside}</div>}
        </div>
      )}
      <ErrorBoundary FallbackComponent={Crashed}>{children}</ErrorBoundary>
    </section>
  );
}
