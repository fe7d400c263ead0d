import type { RunStatement } from "@/api/types";
import { formatClock, type Zone } from "@/lib/format/time";

/** The server's answer as an SQL comment. */
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
      return `-- no answer${took}: outcome unknown, the effect is read back next`;
    case "observed":
      return "-- not sent again: its effect was found on the node";
    case "intended":
      return "-- sent, waiting for the answer";
  }
}

/** When a statement was sent, and to which node. */
export const sentLine = (statement: RunStatement, zone: Zone): string =>
  `${statement.sent_at ? formatClock(statement.sent_at, zone, true) : "not sent yet"} ${statement.node}`;

/** All statements with their answers, for the clipboard. */
export const logText = (statements: readonly RunStatement[], zone: Zone): string =>
  statements.map((s) => `-- ${sentLine(s, zone)}\n${s.sql};\n${answerLine(s)}`).join("\n");
