/** The result and the age of the last rehearsal of each operation. */
import { formatAge } from "@/lib/format/time";
import type { Tone } from "@/ui/StatusIcon";

export interface RehearsalInput {
  rehearsed_at: string | null;
  rehearsed_ok: boolean | null;
}

const agoOf = (at: string, nowMs: number) => `${formatAge((nowMs - Date.parse(at)) / 1000)} ago`;

/** "rehearsed 3 d ago", "rehearsal failed 2 h ago", "never rehearsed". */
export function rehearsalOutcome(
  entry: RehearsalInput,
  nowMs: number,
): { tone: Tone; words: string } {
  if (entry.rehearsed_at === null || entry.rehearsed_ok === null)
    return { tone: "neutral", words: "never rehearsed" };
  const ago = agoOf(entry.rehearsed_at, nowMs);
  return entry.rehearsed_ok
    ? { tone: "ok", words: `rehearsed ${ago}` }
    : { tone: "bad", words: `rehearsal failed ${ago}` };
}

/** One line for a link: the latest successful rehearsal, and the operations whose last rehearsal failed. */
export function rehearsalSummary(
  kinds: readonly (readonly [string, RehearsalInput])[],
  nowMs: number,
) {
  const tried = kinds.filter(([, entry]) => entry.rehearsed_at !== null);
  const failed = tried.filter(([, entry]) => entry.rehearsed_ok === false).map(([name]) => name);
  const good = tried
    .filter(([, entry]) => entry.rehearsed_ok === true)
    .map(([, entry]) => Date.parse(entry.rehearsed_at ?? ""));
  const head =
    good.length === 0
      ? "no successful rehearsal yet"
      : `last successful rehearsal ${formatAge((nowMs - Math.max(...good)) / 1000)} ago`;
  return failed.length === 0 ? head : `${head}; failed: ${failed.join(", ").toLowerCase()}`;
}
