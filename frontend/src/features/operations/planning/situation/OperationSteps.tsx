import type { LinkDetail, PlanKind } from "@/api/types";
import { isTerm, Term } from "@/components/Term";
import { OPERATIONS, type Participants } from "@/domain/operations";
import { statusFor } from "@/domain/status";
import { formatEstimate } from "@/lib/format/time";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Situation.module.css";

/** The operation's name; one that the glossary defines shows its definition. */
function OperationName({ kind, noun }: { kind: PlanKind; noun: string }) {
  return <>{isTerm(kind) ? <Term of={kind}>{noun}</Term> : noun} steps</>;
}

/** The steps of the operation, its impact on the applications, and whether it could run now. */
export function OperationSteps(props: {
  link: LinkDetail;
  kind: PlanKind;
  participants: Participants;
  stale: boolean;
}) {
  const { link, kind, participants, stale } = props;
  const texts = OPERATIONS[kind];
  const readiness = link.readiness[kind];
  const status = statusFor("readiness", stale ? "unknown" : (readiness?.state ?? "unknown"));
  const estimate = stale || readiness?.state !== "ready" ? null : readiness.estimate_s;
  return (
    <Panel title={<OperationName kind={kind} noun={texts.noun} />}>
      <ol className={css.does}>
        {texts.description(participants).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
      <p className="dim note">{texts.impact(participants)}</p>
      <div className={css.ready}>
        <StatusChip tone={status.tone}>{status.word}</StatusChip>
        <span>
          {stale ? "Data is too old." : (readiness?.sentence ?? "Not checked yet.")}
          {estimate !== null && ` Expected duration: ${formatEstimate(estimate)}.`}
        </span>
      </div>
    </Panel>
  );
}
