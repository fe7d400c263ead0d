import { expect, test } from "vitest";
import { type Cell, PLOT, pathOf, secondsScale, xOf } from "./plot-scale";

const cell = (threads: number, seconds: number | null): Cell => ({
  threads,
  delay_ms: 50,
  article_s: seconds,
  lab_s: null,
  lab_large_window_s: null,
  model_s: seconds,
  model_large_window_s: null,
});

test("test_scale__values__whole_powers_of_ten_around_them", () => {
  const scale = secondsScale([cell(1, 25.6), cell(64, 0.9)]);
  expect(scale.ticks).toEqual([0.1, 1, 10, 100]);
  expect(scale.y(100)).toBe(PLOT.top);
  expect(scale.y(0.1)).toBe(PLOT.height - PLOT.bottom);
});

test("test_path__unknown_values__are_left_out", () => {
  const cells = [cell(1, 10), cell(2, null), cell(64, 1)];
  const scale = secondsScale(cells);
  expect(pathOf(cells, (one) => one.model_s, scale)).toBe(
    `M${xOf(1).toFixed(1)} ${scale.y(10).toFixed(1)}L${xOf(64).toFixed(1)} ${scale.y(1).toFixed(1)}`,
  );
});
