import { memo, useEffect, useRef, useState } from "react";
import type { RunStatement, RunStep } from "@/api/types";
import { useTimeZone } from "@/components/TimeZoneProvider";
import type { Zone } from "@/lib/format/time";
import { CopyButton } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";
import { SqlText } from "@/ui/SqlBlock";
import css from "./Run.module.css";
import { answerLine, logText, sentLine } from "./statement-log";

const ANSWER: Record<RunStatement["state"], string | undefined> = {
  ok: css.answerOk,
  failed: css.answerBad,
  indeterminate: css.answerOther,
  observed: css.answerOther,
  intended: css.when,
};

/** A statement is colored once; only its answer changes. */
const Statement = memo(({ statement, zone }: { statement: RunStatement; zone: Zone }) => (
  <>
    <span className={css.when}>{sentLine(statement, zone)}</span>
    {"\n"}
    <SqlText sql={statement.sql} />
    {";\n"}
    <span className={ANSWER[statement.state]}>{answerLine(statement)}</span>
    {"\n"}
  </>
));
Statement.displayName = "Statement";

/**
 * Every statement with its answer, in the order in which they are sent. The log scrolls to the last
 * statement until the user scrolls up. It is rendered again only where a step of the run has changed.
 */
export const StatementLog = memo(({ steps }: { steps: readonly RunStep[] }) => {
  const { zone } = useTimeZone();
  const statements = steps.flatMap((step) => step.statements);
  const box = useRef<HTMLPreElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when a statement is added
  useEffect(() => {
    if (isFollowing && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [statements.length, isFollowing]);
  const onScroll = () => {
    const el = box.current;
    if (el) setFollowing(el.scrollHeight - el.scrollTop - el.clientHeight < 30);
  };
  return (
    <Panel
      title="Statements"
      aside={
        <>
          {statements.length} · {isFollowing ? "automatic scrolling" : "scrolling paused"}
          <CopyButton text={logText(statements, zone)} label="Copy all statements" />
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
          <Statement key={statement.id} statement={statement} zone={zone} />
        ))}
      </pre>
    </Panel>
  );
});
StatementLog.displayName = "StatementLog";
