import { expect, test } from "vitest";
import type { DirectionProof, ProofPeriod } from "@/api/types";
import { gapsOf, segmentsOf, shareText } from "./proof";

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 1) + seconds * 1000).toISOString();

const period = (from: number, to: number, cause: ProofPeriod["cause"] = null): ProofPeriod => ({
  began_at: at(from),
  ended_at: at(to),
  cause,
  sentence: cause ?? "",
  transactions: 0,
  compared: 0,
});

function proof(
  periods: ProofPeriod[],
  totals: Partial<DirectionProof["totals"]> = {},
  rest: Partial<DirectionProof> = {},
): DirectionProof {
  return {
    direction: "forward",
    source_cluster: "milan",
    receiving_cluster: "frankfurt",
    totals: {
      since: at(0),
      until: at(100),
      recorded_since: at(0),
      recorded_until: at(100),
      proven_s: 100,
      not_proven_s: 0,
      unrecorded_s: 0,
      gaps: 0,
      transactions: 0,
      compared: 0,
      ...totals,
    },
    proven_share: 1,
    periods,
    left_out: 0,
    ...rest,
  };
}

test("a band has each period where it was, oldest first", () => {
  const found = segmentsOf(proof([period(60, 100), period(50, 60, "unreachable"), period(0, 50)]));
  expect(found).toEqual([
    { kind: "proven", left: 0, width: 50 },
    { kind: "gap", left: 50, width: 10 },
    { kind: "proven", left: 60, width: 40 },
  ]);
});

test("what is not recorded, and what is too old to be listed, is never drawn as proven", () => {
  expect(segmentsOf(proof([], { recorded_since: null }))).toEqual([
    { kind: "unrecorded", left: 0, width: 100 },
  ]);
  const cut = proof([period(80, 100)], { recorded_since: at(20) }, { left_out: 3 });
  expect(segmentsOf(cut)).toEqual([
    { kind: "unrecorded", left: 0, width: 20 },
    { kind: "unlisted", left: 20, width: 60 },
    { kind: "proven", left: 80, width: 20 },
  ]);
});

test("the share is not rounded up to a whole", () => {
  expect(shareText(proof([]))).toBe("proven 100 % of this time, no gap");
  expect(shareText(proof([], { gaps: 2 }, { proven_share: 0.999_999 }))).toBe(
    "proven 99.99 % of this time, 2 gaps",
  );
  expect(shareText(proof([], { unrecorded_s: 50 }, { proven_share: 0.5 }))).toBe(
    "proven 50.00 % of this time, no gap, a part not recorded",
  );
  expect(shareText(proof([], { recorded_since: null }))).toBe("not recorded in this time");
});

test("gaps of both directions are one list, newest first", () => {
  const back = { source_cluster: "frankfurt", receiving_cluster: "milan" };
  const gaps = gapsOf([
    proof([period(20, 30, "log_unread"), period(0, 20)]),
    proof([period(40, 50, "diverged")], {}, back),
  ]);
  expect(gaps.map(({ way, cause }) => [way, cause])).toEqual([
    ["frankfurt → milan", "diverged"],
    ["milan → frankfurt", "log_unread"],
  ]);
});
