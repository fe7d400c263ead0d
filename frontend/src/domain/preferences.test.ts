import { describe, expect, it } from "vitest";
import { DEFAULT_PREFERENCES, otherZone, zonedClockOf } from "./preferences";

describe("preferences", () => {
  it("test_zone__unknown_to_the_browser__utc", () =>
    expect(zonedClockOf({ ...DEFAULT_PREFERENCES, time_zone: "Mars/Olympus" }).timeZone).toBe(
      "UTC",
    ));
  it("test_click_on_the_clock__utc_and_back", () => {
    expect(otherZone("UTC", "Europe/Rome")).toBe("Europe/Rome");
    expect(otherZone("Europe/Rome", "Europe/Rome")).toBe("UTC");
  });
});
