/** The band of a direction's proof over time, and what is said of it. */
import type { DirectionProof, ProofPeriod } from "@/api/types";
import { pluralize } from "@/lib/format/number";

export type SegmentKind = "proven" | "gap" | "unlisted" | "unrecorded";

/** A part of the band, in percent of the time that it shows. */
export interface Segment {
  kind: SegmentKind;
  left: number;
  width: number;
}

export const SEGMENT_WORDS: Record<SegmentKind, string> = {
  proven: "proven",
  gap: "not proven",
  unlisted: "not listed",
  unrecorded: "not recorded",
};

const time = (at: string) => Date.parse(at);

/** Oldest first: what is not recorded, what is too old to be listed, then the periods. */
export function segmentsOf({ totals, periods, left_out }: DirectionProof): Segment[] {
  const [since, until] = [time(totals.since), time(totals.until)];
  const oldest = periods.at(-1);
  const recorded = totals.recorded_since === null ? until : time(totals.recorded_since);
  const listed = oldest && left_out > 0 ? time(oldest.began_at) : recorded;
  const parts: [SegmentKind, number, number][] = [
    ["unrecorded", since, recorded],
    ["unlisted", recorded, listed],
    ...[...periods]
      .reverse()
      .map(({ cause, began_at, ended_at }): [SegmentKind, number, number] => [
        cause === null ? "proven" : "gap",
        time(began_at),
        time(ended_at),
      ]),
  ];
  const percent = (ms: number) => (100 * ms) / (until - since);
  return parts
    .filter(([, from, to]) => to > from)
    .map(([kind, from, to]) => ({ kind, left: percent(from - since), width: percent(to - from) }));
}

/** Never rounded up: "100 %" has no gap. */
const percentText = (share: number): string =>
  share === 1 ? "100 %" : `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`;

/** "proven 99.98 % of this time, 2 gaps" */
export function shareText({ totals, proven_share: share }: DirectionProof): string {
  if (totals.recorded_since === null || share === null) return "not recorded in this time";
  const gaps = totals.gaps === 0 ? "no gap" : pluralize(totals.gaps, "gap");
  const rest = totals.unrecorded_s > 0 ? ", a part not recorded" : "";
  return `proven ${percentText(share)} of this time, ${gaps}${rest}`;
}

export interface GapRow extends ProofPeriod {
  way: string;
}

/** The gaps of all directions, newest first. */
export const gapsOf = (directions: readonly DirectionProof[]): GapRow[] =>
  directions
    .flatMap((one) =>
      one.periods
        .filter(({ cause }) => cause !== null)
        .map((period) => ({
          ...period,
          way: `${one.source_cluster} → ${one.receiving_cluster}`,
        })),
    )
    .sort((a, b) => time(b.began_at) - time(a.began_at));

export const secondsOf = ({ began_at, ended_at }: ProofPeriod): number =>
  (time(ended_at) - time(began_at)) / 1000;
