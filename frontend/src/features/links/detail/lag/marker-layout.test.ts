import { describe, expect, it } from "vitest";
import type { LagEvent } from "@/api/types";
import { layoutMarkers, MARKER } from "./marker-layout";

const event = (at: number, severity = "info", label = "Relocated"): LagEvent => ({
  at: new Date(at).toISOString(),
  kind: "link.degraded",
  label,
  severity,
  run_id: null,
  actor: null,
});

/** A small generator with a seed, so that a failure can be repeated. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return (state / 2 ** 32) * below;
  };
}

const SEVERITIES = ["ok", "info", "warning", "unknown", "blocker"];
const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);

describe("layoutMarkers", () => {
  it("test_layout__any_events__nothing_overlaps_leaves_the_lane_or_is_lost", () => {
    for (const seed of SEEDS) {
      const random = randomOf(seed);
      const domain = { from: 1e12, to: 1e12 + 1000 + random(90 * 86_400_000) };
      const width = MARKER + random(1600);
      const length = domain.to - domain.from;
      const bursts = Array.from({ length: 1 + random(6) }, () => domain.from + random(length));
      const events = Array.from({ length: random(80) }, (_, index) => {
        const burst = bursts[index % bursts.length] ?? domain.from;
        const at = random(2) < 1 ? domain.from + random(length) : burst + random(length / 50);
        return event(Math.min(at, domain.to), SEVERITIES[index % SEVERITIES.length]);
      });
      const markers = layoutMarkers(events, domain, width);
      expect(markers.flatMap((each) => each.events)).toHaveLength(events.length);
      const boxes = markers.flatMap(({ x, words }) => [
        { from: x - MARKER / 2, to: x + MARKER / 2 },
        ...(words ? [{ from: words.left, to: words.left + words.width }] : []),
      ]);
      boxes.sort((a, b) => a.from - b.from);
      for (const [index, box] of boxes.entries()) {
        expect(box.from, `seed ${seed}`).toBeGreaterThanOrEqual(-0.001);
        expect(box.to, `seed ${seed}`).toBeLessThanOrEqual(width + 0.001);
        const next = boxes[index + 1];
        if (next) expect(box.to, `seed ${seed}`).toBeLessThanOrEqual(next.from + 0.001);
      }
    }
  });

  it("test_layout__near_each_other__one_marker_of_the_gravest_that_counts_the_others", () => {
    const domain = { from: 0, to: 100_000 };
    const events = [event(50_000, "blocker", "db-a1 is down"), event(51_000), event(52_000)];
    const [only, ...others] = layoutMarkers(events, domain, 500);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ tone: "bad", label: "db-a1 is down", more: 2 });
  });

  it("test_layout__newest_at_the_right_edge__has_its_words_before_it", () => {
    const markers = layoutMarkers([event(0), event(99_900)], { from: 0, to: 100_000 }, 400);
    expect(markers.map((each) => each.words?.isBefore)).toEqual([undefined, true]);
  });

  it("test_layout__outside_of_the_time__not_shown", () =>
    expect(layoutMarkers([event(5)], { from: 10, to: 20 }, 300)).toEqual([]));
});
