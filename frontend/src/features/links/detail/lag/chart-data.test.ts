import { describe, expect, it } from "vitest";
import type { LagCurve, LagPoint } from "@/api/types";
import { columnsOf, isolated } from "./chart-data";

const point = (second: number, gap: number | null): LagPoint => ({
  at: new Date(second * 1000).toISOString(),
  state: gap === null ? "unknown" : "protected",
  samples: 10,
  forward_gap: gap,
  forward_gap_min: gap === null ? null : gap - 1,
  forward_gap_max: gap === null ? null : gap + 1,
  forward_gap_unknown: gap === null ? 10 : 0,
});

const curve = (...points: LagPoint[]): LagCurve => ({
  from: new Date(0).toISOString(),
  to: new Date(100_000).toISOString(),
  begins_at: null,
  resolution_s: 10,
  stored_resolution_s: 10,
  gap_after_s: 15,
  points,
  events: [],
  events_left_out: 0,
});

describe("columnsOf", () => {
  it("test_columns__time_without_samples__is_a_break_not_a_line", () => {
    const { data, points } = columnsOf(
      curve(point(0, 4), point(10, 6), point(60, 8)),
      "transactions",
    );
    expect(data[0]).toEqual([5, 15, 40, 65]);
    expect(data.slice(1, 4)).toEqual([
      [4, 6, null, 8],
      [3, 5, null, 7],
      [5, 7, null, 9],
    ]);
    expect(points[2]).toBeNull();
  });

  it("test_columns__unknown__is_no_value_and_never_zero", () => {
    const { data } = columnsOf(curve(point(0, 4), point(10, null)), "transactions");
    expect(data[1]).toEqual([4, null]);
    expect(data[4]).toEqual([null, null]);
  });

  it("test_columns__last_point_still_open__does_not_stand_in_the_future", () =>
    expect(columnsOf(curve(point(98, 1)), "transactions").data[0]).toEqual([100]));
});

it("test_isolated__values_without_a_neighbour__are_drawn_as_dots", () =>
  expect(isolated([1, null, 2, 3, null, 4])).toEqual([0, 5]));
