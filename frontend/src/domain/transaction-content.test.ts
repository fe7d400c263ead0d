import { expect, it } from "vitest";
import { isSameContent } from "./transaction-content";

it.each([
  ["a1.b1.uc1", "a1.b1.uc1", true],
  ["a1.b1.uc1", "a1.-.uc1", true],
  ["a1.b1.uc1", "a1.b1.-", true],
  ["a1.b1.uc1", "a1.b1.c", true],
  ["a1.b1.uc1", "a2.b1.uc1", false],
  ["a1.b1.uc1", "a1.b2.uc1", false],
  ["a1.b1.uc1", "a1.b1.uc2", false],
  ["a1.b1.c", "a1.b1.c", true],
  ["a1", "a1.b1.uc1", true],
])("compares %s with %s in the parts that both have", (one, other, same) => {
  expect(isSameContent(one, other)).toBe(same);
});
