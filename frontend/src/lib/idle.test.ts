// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { IDLE_AFTER_MS, isIdle } from "./idle";

const press = () => window.dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));

describe("isIdle", () => {
  it("test_idle__just_touched__no", () => {
    press();
    expect(isIdle()).toBe(false);
  });
  it("test_idle__untouched_for_a_minute__yes", () => {
    press();
    expect(isIdle(Date.now() + IDLE_AFTER_MS - 100)).toBe(false);
    expect(isIdle(Date.now() + IDLE_AFTER_MS)).toBe(true);
  });
});
