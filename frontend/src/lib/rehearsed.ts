/** What rehearsals say about a kind: the latest, and how long ago. */
import { formatAge } from "./time";
import type { Tone } from "./tone";

export interface RehearsalIn {
  kind: string;
  state: "passed" | "failed";
  at: string;
}

/** The latest rehearsal of each kind. */
export function latestByKind<T extends RehearsalIn>(rehearsals: readonly T[]): Map<string, T> {
  const latest = new Map<string, T>();
  for (const entry of rehearsals) {
    const known = latest.get(entry.kind);
    if (!known || Date.parse(entry.at) > Date.parse(known.at)) latest.set(entry.kind, entry);
  }
  return latest;
}

/** "rehearsed 3 d ago", "rehearsal failed 2 h ago", "never rehearsed". */
export function rehearsedWords(
  entry: RehearsalIn | undefined,
  nowMs: number,
): { tone: Tone; words: string } {
  if (!entry) return { tone: "neutral", words: "never rehearsed" };
  const ago = `${formatAge((nowMs - Date.parse(entry.at)) / 1000)} ago`;
  return entry.state === "passed"
    ? { tone: "ok", words: `rehearsed ${ago}` }
    : { tone: "bad", words: `rehearsal failed ${ago}` };
}

/** Days since anything was last rehearsed with success; null when it never was. */
export function lastGood(rehearsals: readonly RehearsalIn[]): string | null {
  const good = rehearsals.filter((entry) => entry.state === "passed");
  return good.length === 0
    ? null
    : good.reduce((a, b) => (Date.parse(a.at) > Date.parse(b.at) ? a : b)).at;
}
