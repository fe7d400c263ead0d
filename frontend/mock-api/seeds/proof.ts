/** When both directions of a link were proven; a direction that was never read has no history. */
import type { DirectionProof, LinkProof, ProofPeriod } from "@/api/types";

const SENTENCES = {
  unreachable: "A node at an end of the channel did not respond.",
  nobody_looked: "No monitor observed the link, or what it saw could not be stored.",
} as const;

type Cause = keyof typeof SENTENCES;
/** Cause, and begin and end as parts of the time. */
type Gap = readonly [Cause, number, number];

function periodsOf(since: number, until: number, gaps: readonly Gap[]): ProofPeriod[] {
  const at = (part: number) => new Date(since + part * (until - since)).toISOString();
  const period = (from: number, to: number, cause: Cause | null): ProofPeriod => ({
    began_at: at(from),
    ended_at: at(to),
    cause,
    sentence: cause === null ? "" : SENTENCES[cause],
    transactions: cause === null ? 6_200 : 0,
    compared: cause === null ? 6_200 : 0,
  });
  let from = 0;
  const periods = gaps.flatMap(([cause, begin, end]) => {
    const found = [period(from, begin, null), period(begin, end, cause)];
    from = end;
    return found;
  });
  return [...periods, period(from, 1, null)].reverse();
}

function directionOf(
  direction: "forward" | "reverse",
  since: number,
  until: number,
  gaps: readonly Gap[],
): DirectionProof {
  const total = (until - since) / 1000;
  const lost = gaps.reduce((sum, [, begin, end]) => sum + total * (end - begin), 0);
  const names = ["milan", "frankfurt"] as const;
  const [source, receiving] = direction === "forward" ? names : [names[1], names[0]];
  return {
    direction,
    source_cluster: source,
    receiving_cluster: receiving,
    totals: {
      since: new Date(since).toISOString(),
      until: new Date(until).toISOString(),
      recorded_since: new Date(since).toISOString(),
      recorded_until: new Date(until).toISOString(),
      proven_s: total - lost,
      not_proven_s: lost,
      unrecorded_s: 0,
      gaps: gaps.length,
      transactions: 12_400,
      compared: 12_400,
    },
    proven_share: total === 0 ? null : 1 - lost / total,
    periods: periodsOf(since, until, gaps),
    left_out: 0,
  };
}

export const proofOf = (since: number, until: number): LinkProof => ({
  directions: [
    directionOf("forward", since, until, [
      ["unreachable", 0.3, 0.304],
      ["nobody_looked", 0.62, 0.7],
    ]),
    directionOf("reverse", since, until, []),
  ],
});

/** Of a link that was not read long enough. */
export function notRecorded(since: number, until: number): LinkProof {
  const { directions } = proofOf(since, until);
  return {
    directions: directions.map((one) => ({
      ...one,
      totals: {
        ...one.totals,
        recorded_since: null,
        recorded_until: null,
        proven_s: 0,
        not_proven_s: 0,
        unrecorded_s: (until - since) / 1000,
        gaps: 0,
        transactions: 0,
        compared: 0,
      },
      proven_share: 0,
      periods: [],
    })),
  };
}
