import { expect, test } from "vitest";
import { changed, evenDelays, queryOf, resized } from "./delay-matrix";

test("test_even_delays__two_sites__as_the_api_takes_them", () => {
  expect(queryOf(evenDelays(2, "25"))).toBe("0,25;25,0");
});

test("test_resized__a_third_site__as_far_as_the_first_two_and_back", () => {
  const three = resized(evenDelays(2, "25"), 3);
  expect(queryOf(three)).toBe("0,25,25;25,0,25;25,25,0");
  expect(queryOf(resized(three, 2))).toBe("0,25;25,0");
});

test("test_changed__one_way__the_way_back_follows_unless_they_differ", () => {
  const rows = evenDelays(2, "25");
  expect(queryOf(changed(rows, [0, 1], "10,5", false))).toBe("0,10.5;10.5,0");
  expect(queryOf(changed(rows, [0, 1], "10", true))).toBe("0,10;25,0");
});
