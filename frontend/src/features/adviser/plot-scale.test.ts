import { expect, test } from "vitest";
import { decades, doublings, even, knownOf } from "./plot-scale";

test("test_scale__values__whole_powers_of_ten_around_them", () => {
  const scale = decades([25.6, null, 0.9]);
  expect(scale.ticks).toEqual([0.1, 1, 10, 100]);
  expect([0.1, 100].map(scale.at)).toEqual([0, 1]);
});

test.each([
  [even([0, 1, 2]), 1, 0.5],
  [even([2, 3], 0.5), 2, 0.25],
  [doublings([1, 2, 4]), 2, 0.5],
])("test_scale__%#__a_value_between_both_ends", (scale, value, at) => {
  expect(scale.at(value)).toBe(at);
});

test("test_points__unknown_values__are_left_out", () => {
  expect(
    knownOf([
      [1, 10],
      [2, null],
      [64, 1],
    ]),
  ).toEqual([
    [1, 10],
    [64, 1],
  ]);
});
