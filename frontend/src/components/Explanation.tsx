import { UnstyledButton } from "@mantine/core";
import { lazy, Suspense, useId, useState } from "react";
import type { ExplainedKind } from "@/api/resources/explanations";
import css from "./Explanation.module.css";

const ExplanationText = lazy(() =>
  import("./ExplanationText").then(({ ExplanationText: text }) => ({ default: text })),
);

/** Opens what a code means and what to do about it, read from the catalogue when it is asked for. */
export function Explanation({ kind, code }: { kind: ExplainedKind; code: string }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="no-print">
      <UnstyledButton
        className={css.button}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={`Explain ${code}`}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? "Hide explanation" : "Explain"}
      </UnstyledButton>
      {isOpen && (
        <div id={id} className={css.text}>
          <Suspense fallback={<p className="faint">Loading</p>}>
            <ExplanationText kind={kind} code={code} />
          </Suspense>
        </div>
      )}
    </div>
  );
}
