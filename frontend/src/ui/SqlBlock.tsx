import { tokenizeSql } from "@/lib/sql-tokenizer";
import { CopyButton } from "./CopyButton";
import css from "./SqlBlock.module.css";

/** A statement with coloured tokens, as text: nothing is parsed as HTML. */
export function SqlText({ sql }: { sql: string }) {
  return tokenizeSql(sql).map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: order is identity here
    <span key={index} className={css[token.kind]}>
      {token.text}
    </span>
  ));
}

/** Statements in a block that can be copied; each ends with a semicolon. */
export function SqlBlock({ statements, label }: { statements: readonly string[]; label: string }) {
  const text = statements
    .map((sql) => (/;\s*$/.test(sql) || sql.startsWith("--") ? sql : `${sql};`))
    .join("\n");
  return (
    <div className={css.frame}>
      {/* biome-ignore lint/a11y/useSemanticElements: a section cannot keep the statement's own line breaks */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre className={css.block} tabIndex={0} role="region" aria-label={label}>
        <SqlText sql={text} />
      </pre>
      <div className={`${css.copy} no-print`}>
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
    </div>
  );
}
