import type { ReactNode } from "react";
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

interface BlockProps {
  text: string;
  label: string;
  children: ReactNode;
}

function Block({ text, label, children }: BlockProps) {
  return (
    <div className={css.frame}>
      {/* biome-ignore lint/a11y/useSemanticElements: a section cannot keep the text's own line breaks */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre className={css.block} tabIndex={0} role="region" aria-label={label}>
        {children}
      </pre>
      <div className={`${css.copy} no-print`}>
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
    </div>
  );
}

/** Lines of a file in a block that can be copied. */
export const TextBlock = ({ text, label }: { text: string; label: string }) => (
  <Block text={text} label={label}>
    {text}
  </Block>
);

/** Statements in a block that can be copied; each ends with a semicolon. */
export function SqlBlock({ statements, label }: { statements: readonly string[]; label: string }) {
  const text = statements
    .map((sql) => (/;\s*$/.test(sql) || sql.startsWith("--") ? sql : `${sql};`))
    .join("\n");
  return (
    <Block text={text} label={label}>
      <SqlText sql={text} />
    </Block>
  );
}
