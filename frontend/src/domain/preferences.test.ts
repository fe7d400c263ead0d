import { describe, expect, it } from "vitest";
import { asPreferences, DEFAULT_PREFERENCES, otherZone, zonedClockOf } from "./preferences";

describe("preferences", () => {
  it.each([null, "dark", 7])("test_stored__%j__defaults", (stored) =>
    expect(asPreferences(stored)).toEqual(DEFAULT_PREFERENCES),
  );
  it("test_stored__older_copy__defaults_for_what_it_lacks", () =>
    expect(asPreferences({ density: "compact" })).toEqual({
      ...DEFAULT_PREFERENCES,
      density: "compact",
    }));
  it("test_zone__unknown_to_the_browser__utc", () =>
    expect(zonedClockOf({ ...DEFAULT_PREFERENCES, time_zone: "Mars/Olympus" }).timeZone).toBe(
      "UTC",
    ));
  it("test_click_on_the_clock__utc_and_back", () => {
    expect(otherZone("UTC", "Europe/Rome")).toBe("Europe/Rome");
    expect(otherZone("Europe/Rome", "Europe/Rome")).toBe("UTC");
  });
});
