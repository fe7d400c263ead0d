import type { Link, Readiness } from "@/api/types";
import { grouped } from "@/lib/numbers";
import { formatEstimate } from "@/lib/time";
import { statusOf } from "@/lib/tone";
import { Chip } from "@/ui/Chip";
import { Panel } from "@/ui/Panel";
import css from "./ReadinessPanel.module.css";

const NAMES: Record<string, string> = {
  relocate: "Relocate",
  clean: "Clean old channel",
  switchover: "Switchover",
  failover: "Failover",
};

const title = (kind: string) => NAMES[kind] ?? kind;

const costOf = (readiness: Readiness): string =>
  `${readiness.estimate_s === null ? "time unknown" : formatEstimate(readiness.estimate_s)} · lose ${grouped(readiness.loss_transactions)}`;

/** Per kind of move: could it be done now, how fast, losing what; else why not. */
export function ReadinessPanel({ link, stale }: { link: Link; stale: boolean }) {
  const rows = Object.entries(link.readiness);
  return (
    <Panel title="Could we act now?">
      <ul>
        {rows.map(([kind, readiness]) => {
          const status = statusOf("readiness", stale ? "unknown" : readiness.answer);
          const ready = readiness.answer === "ready" && !stale;
          return (
            <li key={kind} className={css.row}>
              <span className="strong">{title(kind)}</span>
              <Chip tone={status.tone}>{status.word}</Chip>
              <span className={css.cost}>{ready && costOf(readiness)}</span>
              {!ready && (
                <span className={css.why}>
                  {stale ? "The facts are too old to say." : readiness.sentence}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {rows.length === 0 && <p className="dim">Not checked yet.</p>}
    </Panel>
  );
}
