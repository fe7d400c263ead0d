import { expect, test } from "vitest";
import type { ClusterConcurrency } from "@/api/types";
import { reasonsOf } from "../reasons";
import { costText, rangeText, unknownReasons } from "./running-figures";

const cost = (low: number | null, high: number | null) => ({
  size_bytes: 1,
  fragments: 1,
  round_trips: 1,
  low_ms: low,
  high_ms: high,
  reason: "",
});

test("test_range__equal_when_rounded__one_number", () => {
  expect([rangeText(50.04, 50.01), rangeText(7.2, 8), rangeText(8, 8)]).toEqual([
    "50",
    "7.2 to 8",
    "8",
  ]);
});

test("test_cost__unknown_milliseconds_and_seconds", () => {
  expect([cost(null, null), cost(855, 884), cost(32_900, 34_000)].map(costText)).toEqual([
    "unknown",
    "855 to 884 ms",
    "32.9 to 34 s",
  ]);
});

test("test_reasons__of_several_nodes__each_once_and_none_that_the_rate_gives", () => {
  const node = (answers_reason: string) => ({ answers: null, answers_reason });
  const found = {
    written: { reason: "No rate. Wait." },
    nodes: [node("a"), node("a"), node("No rate.")],
  };
  expect(reasonsOf(unknownReasons(found as ClusterConcurrency))).toEqual(["a"]);
});
