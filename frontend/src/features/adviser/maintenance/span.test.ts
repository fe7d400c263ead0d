import { expect, test } from "vitest";
import { formatSpan } from "./span";

test.each([
  [0, "0 s"],
  [0.9, "0 s"],
  [59.9, "59 s"],
  [60, "1 min"],
  [95, "1 min 35 s"],
  [3600, "1 h"],
  [4859, "1 h 20 min"],
  [187_200, "2 d 4 h"],
])("test_format_span__%s_seconds__%s", (seconds, text) => {
  expect(formatSpan(seconds)).toBe(text);
});
