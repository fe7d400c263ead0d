// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import type { LagCurve, LagPoint } from "@/api/types";
import { continued, continuedFrom } from "./lag";

const iso = (second: number) => new Date(second * 1000).toISOString();

const point = (second: number, samples: number): LagPoint => ({
  at: iso(second),
  state: "protected",
  samples,
});

/** Points of 10 s up to a time; the last one has as many samples as seconds passed. */
function curve(from: number, to: number): LagCurve {
  const first = Math.floor(from / 10) * 10;
  const count = Math.ceil((to - first) / 10);
  return {
    from: iso(from),
    to: iso(to),
    begins_at: iso(0),
    resolution_s: 10,
    stored_resolution_s: 10,
    gap_after_s: 15,
    points: Array.from({ length: count }, (_, index) =>
      point(first + index * 10, Math.min(10, to - first - index * 10)),
    ),
    events: [{ at: iso(to - 3), kind: "k", label: "l", severity: "ok", run_id: null, actor: null }],
    events_left_out: 0,
  };
}

describe("continued", () => {
  it("test_curve__read_again__is_that_of_the_whole_time", () => {
    let shown = curve(1000, 1600);
    for (const now of [1604, 1609, 1617, 1650, 1653]) {
      const from = (continuedFrom(shown) ?? 0) / 1000;
      expect(from).toBeGreaterThan(now - 100);
      shown = continued(shown, curve(from, now), from * 1000);
      const whole = curve(now - 600, now);
      expect(shown.points).toEqual(whole.points);
      expect([shown.from, shown.to]).toEqual([whole.from, whole.to]);
    }
  });

  it("test_curve__too_old_or_empty__is_read_as_a_whole", () => {
    expect(continuedFrom(undefined)).toBeNull();
    expect(continuedFrom({ ...curve(1000, 1600), points: [] })).toBeNull();
    expect(continuedFrom({ ...curve(1000, 1600), points: [point(1100, 1)] })).toBeNull();
  });
});
