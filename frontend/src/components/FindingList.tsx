import { useState } from "react";
import type { Finding } from "@/api/types";
import { sortBySeverity } from "@/domain/severity";
import { statusFor } from "@/domain/status";
import { SqlBlock } from "@/ui/SqlBlock";
import { StatusChip } from "@/ui/StatusChip";
import css from "./FindingList.module.css";

const STATEMENT = /^(GRANT|CREATE|ALTER|SET|CHANGE|START|STOP|RESET|INSTALL|FLUSH)\b/i;

/** A remedy that is a statement is shown as one, to be copied; else it is a sentence. */
function Remedy({ text }: { text: string }) {
  if (!text) return null;
  if (STATEMENT.test(text.trim()))
    return <SqlBlock statements={[text.trim()]} label="the remedy" />;
  return <div className={css.remedy}>{text}</div>;
}

/** A code may come once per node: the sentence tells them apart. */
const keyOf = (finding: Finding) => `${finding.code} ${finding.message}`;

function Row({ finding, showCode }: { finding: Finding; showCode: boolean }) {
  const status = statusFor("severity", finding.severity);
  const grave = finding.severity === "blocker" || finding.severity === "unknown";
  return (
    <li className={css.item}>
      <div>
        <StatusChip tone={status.tone} iconOnly title={status.word}>
          {status.word}:
        </StatusChip>
      </div>
      <div className={css.message}>
        <div className={css.line}>
          <span className={grave ? "strong" : undefined}>{finding.message}</span>
          {showCode && <span className={`${css.code} mono`}>{finding.code}</span>}
        </div>
        {finding.severity !== "ok" && <Remedy text={finding.remedy} />}
      </div>
    </li>
  );
}

/** Findings, gravest first; those that agree are folded into one line. */
export function FindingList({
  findings,
  showCodes = false,
  showPassed = false,
}: {
  findings: readonly Finding[];
  showCodes?: boolean;
  /** Where the checks are the page's matter, those that agree are shown as well. */
  showPassed?: boolean;
}) {
  const [open, setOpen] = useState(showPassed);
  const sorted = sortBySeverity(findings);
  const grave = sorted.filter((finding) => finding.severity !== "ok");
  const fine = sorted.filter((finding) => finding.severity === "ok");
  return (
    <ul>
      {grave.map((finding) => (
        <Row key={keyOf(finding)} finding={finding} showCode={showCodes} />
      ))}
      {fine.length > 0 && (
        <li className={css.item}>
          <div>
            <StatusChip tone="ok" iconOnly>
              agrees
            </StatusChip>
          </div>
          <button
            type="button"
            className={css.more}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {grave.length > 0 ? `${fine.length} more agree` : `all ${fine.length} agree`} ·{" "}
            {open ? "hide" : "show"}
          </button>
        </li>
      )}
      {open &&
        fine.map((finding) => <Row key={keyOf(finding)} finding={finding} showCode={showCodes} />)}
      {findings.length === 0 && <li className="dim">Nothing to report.</li>}
    </ul>
  );
}
