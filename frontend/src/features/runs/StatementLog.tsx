import { Fragment, useEffect, useRef, useState } from "react";
import type { RunStatement, RunStep } from "@/api/types";
import { useTimeZone } from "@/components/TimeZoneProvider";
import { formatClock, type Zone } from "@/lib/format/time";
import { CopyButton } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";
import { SqlText } from "@/ui/SqlBlock";
import css from "./Run.module.css";

/** The server's answer as a comment line, the way a log would keep it. */
export function answerLine(statement: RunStatement): string {
  const took = statement.duration_ms === null ? "" : `, ${Math.round(statement.duration_ms)} ms`;
  switch (statement.state) {
    case "ok":
      return statement.warnings.length === 0
        ? `-- ok${took}, 0 warnings`
        : `-- ok${took}; ${statement.warnings.join("; ")}`;
    case "failed":
      return `-- failed${took}: ${statement.error}`;
    case "indeterminate":
      return `-- no answer${took}: outcome not known, read back next`;
    case "observed":
      return "-- not sent again: seen to have taken effect";
    case "intended":
      return "-- sent, waiting for the answer";
  }
}

const ANSWER: Record<RunStatement["state"], string | undefined> = {
  ok: css.answerOk,
  failed: css.answerBad,
  indeterminate: css.answerOther,
  observed: css.answerOther,
  intended: css.when,
};

const whenLine = (statement: RunStatement, zone: Zone): string =>
  `${statement.sent_at ? formatClock(statement.sent_at, zone, true) : "not sent yet"} ${statement.node}`;

function asText(statements: readonly RunStatement[], zone: Zone): string {
  return statements.map((s) => `-- ${whenLine(s, zone)}\n${s.sql};\n${answerLine(s)}`).join("\n");
}

/** Every statement with its answer as they come; follows the end until one scrolls away from it. */
export function StatementLog({ steps }: { steps: readonly RunStep[] }) {
  const { zone } = useTimeZone();
  const statements = steps.flatMap((step) => step.statements);
  const box = useRef<HTMLPreElement>(null);
  const [follow, setFollow] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when a statement is added
  useEffect(() => {
    if (follow && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [statements.length, follow]);
  const onScroll = () => {
    const el = box.current;
    if (el) setFollow(el.scrollHeight - el.scrollTop - el.clientHeight < 30);
  };
  return (
    <Panel
      title="Statements"
      aside={
        <>
          {statements.length} · {follow ? "following" : "held where you scrolled"}
          <CopyButton text={asText(statements, zone)} label="Copy all statements" />
        </>
      }
    >
      <pre
        ref={box}
        className={css.log}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
        role="log"
        aria-label="Statements and answers"
      >
        {statements.length === 0 && <span className={css.when}>-- nothing has been sent</span>}
        {statements.map((statement) => (
          <Fragment key={statement.id}>
            <span className={css.when}>{whenLine(statement, zone)}</span>
            {"\n"}
            <SqlText sql={statement.sql} />
            {";\n"}
            <span className={ANSWER[statement.state]}>{answerLine(statement)}</span>
            {"\n"}
          </Fragment>
        ))}
      </pre>
    </Panel>
  );
}
