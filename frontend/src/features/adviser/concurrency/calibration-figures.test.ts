import { expect, test } from "vitest";
import { apartText, type CalibrationStep, commitText, modelText } from "./calibration-figures";

const step = (changes: Partial<CalibrationStep>): CalibrationStep => ({
  writers: 4,
  commits: 150,
  per_s: 75,
  p50_ms: 52.4,
  p95_ms: 101,
  model_low_per_s: 64.1,
  model_high_per_s: 66.7,
  apart_percent: 12.4,
  reason: "",
  ...changes,
});

test("test_figures__beyond_the_model__says_which_way", () => {
  expect(apartText(step({}))).toBe("12.4 % faster");
  expect(apartText(step({ apart_percent: -8 }))).toBe("8 % slower");
  expect(apartText(step({ apart_percent: 0 }))).toBe("within the model");
});

test("test_figures__unknown__no_number", () => {
  expect(apartText(step({ apart_percent: null }))).toBe("unknown");
  expect(modelText(step({ model_low_per_s: null }))).toBe("none");
  expect(commitText(step({ p95_ms: null }))).toBe("52.4 ms");
});
