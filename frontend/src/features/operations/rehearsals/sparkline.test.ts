import { rehearsal } from "@mock/seeds/rehearsals";
import { describe, expect, it } from "vitest";
import type { Rehearsal } from "@/api/types";
import { trendOf } from "./sparkline";

const held = (state: Rehearsal["state"], estimate: number | null, daysAgo: number) => ({
  ...rehearsal("switchover", daysAgo),
  state,
  estimate_s: estimate,
});

describe("the trend of rehearsals", () => {
  it("test_trend__newest_first_in__drawn_oldest_first", () => {
    const { points } = trendOf([held("passed", 2, 1), held("passed", 1, 5)], (r) => r.at);
    expect(points[0]!.x).toBeLessThan(points[1]!.x);
    expect(points[0]!.y).toBeGreaterThan(points[1]!.y);
  });
  it("test_trend__failed__marked_and_left_out_of_the_line", () => {
    const trend = trendOf([held("passed", 2, 1), held("failed", null, 2)], () => "");
    expect(trend.points.map((point) => point.ok)).toEqual([false, true]);
    expect(trend.line.match(/[ML]/g)).toEqual(["M"]);
    expect(trend.words).toBe("2 rehearsed, 1 failed; estimated run time 2.0 s");
  });
  it("test_trend__no_time_known__says_so", () =>
    expect(trendOf([held("failed", null, 1)], () => "").words).toBe(
      "1 rehearsed, 1 failed; time unknown",
    ));
});
