import { CopyButton } from "./CopyButton";
import css from "./SqlBlock.module.css";

/** Commands for a shell in a block that can be copied. */
export function CommandBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className={css.frame}>
      {/* biome-ignore lint/a11y/useSemanticElements: a section cannot keep the line breaks of commands */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre className={css.block} tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <div className={`${css.copy} no-print`}>
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
    </div>
  );
}
