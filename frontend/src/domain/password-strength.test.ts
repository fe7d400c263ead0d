import { describe, expect, test } from "vitest";
import { strengthOf, strengthText } from "./password-strength";

describe("strengthOf", () => {
  test.each([
    ["", "too short"],
    ["eleven char", "too short"],
    ["aaaaaaaaaaaaaaaa", "weak"],
    ["abcdefghijklmnop", "weak"],
    ["123456789012", "weak"],
    ["abababababababab", "weak"],
    ["kestrelowl47", "fair"],
    ["marigold kestrel 47 by owl", "strong"],
    ["ключ от старого сарая", "strong"],
    ["x".repeat(129), "too long"],
  ] as const)("%s is %s", (password, strength) => {
    expect(strengthOf(password)).toBe(strength);
  });
});

test("strengthText says what to do", () => {
  expect(strengthText("short")).toBe("Strength: too short. At least 12 characters.");
});
