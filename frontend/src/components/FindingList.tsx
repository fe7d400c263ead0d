import { UnstyledButton } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { Finding } from "@/api/types";
import { withOperationNames } from "@/domain/operations";
import { sortBySeverity } from "@/domain/severity";
import { statusFor } from "@/domain/status";
import { SETTLED_IN, type SettledSection } from "@/domain/unaccounted";
import { SqlBlock } from "@/ui/SqlBlock";
import { StatusChip } from "@/ui/StatusChip";
import { useIsPrinting } from "@/ui/use-is-printing";
import { AppLink } from "./AppLink";
import { Explanation } from "./Explanation";
import css from "./FindingList.module.css";

const STATEMENT = /^(GRANT|REVOKE|CREATE|ALTER|SET|CHANGE|START|STOP|RESET|INSTALL|FLUSH)\b/;

/** A remedy that is a statement is shown as one that can be copied, any other as a sentence. */
function Remedy({ text }: { text: string }) {
  if (!text) return null;
  if (STATEMENT.test(text.trim()))
    return <SqlBlock statements={[text.trim()]} label="the remedy" />;
  return <div className={css.remedy}>{withOperationNames(text)}</div>;
}

/** The way to what the finding asks to settle, on pages of a link. */
function SettledInLink({ section }: { section: SettledSection }) {
  const { linkId } = useParams({ strict: false });
  if (!linkId) return null;
  return (
    <AppLink to="/links/$linkId" params={{ linkId }} hash={section.hash}>
      {section.label}
    </AppLink>
  );
}

/** A code can occur once per node, so the message is part of the key. */
const keyOf = (finding: Finding) => `${finding.code} ${finding.message}`;

function Row({ finding, showCode }: { finding: Finding; showCode: boolean }) {
  const status = statusFor("severity", finding.severity);
  const section = SETTLED_IN[finding.code];
  const isSevere = finding.severity === "blocker" || finding.severity === "unknown";
  return (
    <li className={css.item}>
      <div>
        <StatusChip tone={status.tone} iconOnly title={status.word}>
          {status.word}:
        </StatusChip>
      </div>
      <div className={css.message}>
        <div className={css.line}>
          <span className={isSevere ? "strong" : undefined}>{finding.message}</span>
          {showCode && <span className={`${css.code} mono`}>{finding.code}</span>}
        </div>
        {finding.severity !== "ok" && <Remedy text={finding.remedy} />}
        {typeof finding.facts.run_id === "string" && (
          <AppLink to="/runs/$runId" params={{ runId: finding.facts.run_id }}>
            View run
          </AppLink>
        )}
        {section && <SettledInLink section={section} />}
        {isSevere && <Explanation kind="findings" code={finding.code} />}
      </div>
    </li>
  );
}

/** The line that stands for all passed checks, and shows or hides them. */
function PassedToggle(props: { label: string; isOpen: boolean; toggle: () => void }) {
  return (
    <li className={css.item}>
      <div>
        <StatusChip tone="ok" iconOnly>
          passed
        </StatusChip>
      </div>
      <UnstyledButton className={css.more} aria-expanded={props.isOpen} onClick={props.toggle}>
        {props.label}
        <span className="no-print"> · {props.isOpen ? "Hide" : "Show"}</span>
      </UnstyledButton>
    </li>
  );
}

/** Findings, most severe first; those that passed are folded into one line. */
export function FindingList({
  findings,
  showCodes = false,
  showPassed = false,
}: {
  findings: readonly Finding[];
  showCodes?: boolean;
  /** Passed checks are shown from the start. */
  showPassed?: boolean;
}) {
  const [isOpen, setOpen] = useState(showPassed);
  const isPrinting = useIsPrinting();
  const sorted = sortBySeverity(findings);
  const others = sorted.filter((finding) => finding.severity !== "ok");
  const passed = sorted.filter((finding) => finding.severity === "ok");
  return (
    <ul>
      {others.map((finding) => (
        <Row key={keyOf(finding)} finding={finding} showCode={showCodes} />
      ))}
      {passed.length > 0 && (
        <PassedToggle
          label={others.length > 0 ? `${passed.length} more passed` : `All ${passed.length} passed`}
          isOpen={isOpen}
          toggle={() => setOpen(!isOpen)}
        />
      )}
      {(isOpen || isPrinting) &&
        passed.map((finding) => (
          <Row key={keyOf(finding)} finding={finding} showCode={showCodes} />
        ))}
      {findings.length === 0 && <li className="dim">No findings.</li>}
    </ul>
  );
}
