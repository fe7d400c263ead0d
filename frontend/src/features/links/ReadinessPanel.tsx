import type { Link, Readiness } from "@/api/types";
import { useServerNow } from "@/components/clock";
import { Go } from "@/components/Go";
import { KINDS, kindOf, nounOf, UNREHEARSED } from "@/lib/kinds";
import { grouped } from "@/lib/numbers";
import { rehearsedWords } from "@/lib/rehearsed";
import { formatEstimate } from "@/lib/time";
import { type Status, statusOf } from "@/lib/tone";
import { Chip } from "@/ui/Chip";
import { Panel } from "@/ui/Panel";
import css from "./ReadinessPanel.module.css";

const costOf = (readiness: Readiness): string =>
  `${readiness.estimate_s === null ? "time unknown" : formatEstimate(readiness.estimate_s)} · lose ${grouped(readiness.loss_transactions)}`;

/** Ready to lose something is not the same as ready. */
function statusFor(readiness: Readiness, stale: boolean): Status {
  if (stale) return statusOf("readiness", "unknown");
  if (readiness.state === "ready" && readiness.loss_transactions !== 0)
    return { tone: "warn", word: "loses" };
  return statusOf("readiness", readiness.state);
}

/** The kinds this console knows in their order, then what else the server tells of. */
function rowsOf(link: Link): [string, Readiness][] {
  const rank = (kind: string) => {
    const known = kindOf(kind);
    return known ? KINDS.indexOf(known) : KINDS.length;
  };
  return Object.entries(link.readiness)
    .filter(([kind, readiness]) => !UNREHEARSED.has(kind) || readiness.state !== "not_needed")
    .sort(([a], [b]) => rank(a) - rank(b));
}

function Row(props: { kind: string; readiness: Readiness; stale: boolean; nowMs: number }) {
  const { kind, readiness, stale, nowMs } = props;
  const status = statusFor(readiness, stale);
  const rehearsed = rehearsedWords(readiness, nowMs);
  return (
    <li className={css.row}>
      <span className="strong">{nounOf(kind)}</span>
      <Chip tone={status.tone}>{status.word}</Chip>
      <span className={css.cost}>{readiness.state === "ready" && !stale && costOf(readiness)}</span>
      <span className={css.why}>
        {stale ? "The facts are too old to say." : readiness.sentence}{" "}
        {!UNREHEARSED.has(kind) && (
          <span className={rehearsed.tone === "bad" ? css.failed : css.rehearsed}>
            {rehearsed.words}
          </span>
        )}
      </span>
    </li>
  );
}

/** Per kind of act: could it be done now, how fast, losing what; else why not; and when it was last tried. */
export function ReadinessPanel({ link, stale }: { link: Link; stale: boolean }) {
  const nowMs = useServerNow(60_000);
  const rows = rowsOf(link);
  return (
    <Panel
      title="Could we act now?"
      aside={<Go to={`/links/${link.id}/rehearsals`}>rehearsals</Go>}
    >
      <ul>
        {rows.map(([kind, readiness]) => (
          <Row key={kind} kind={kind} readiness={readiness} stale={stale} nowMs={nowMs} />
        ))}
      </ul>
      {rows.length === 0 && <p className="dim">Not checked yet.</p>}
    </Panel>
  );
}
