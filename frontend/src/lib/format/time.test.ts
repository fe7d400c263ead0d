import { afterEach, describe, expect, it, vi } from "vitest";
import { clockSkewSeconds, serverNow, syncServerClock } from "../server-clock";
import {
  formatAge,
  formatClock,
  formatDuration,
  formatElapsed,
  formatEstimate,
  formatFull,
  formatMoment,
  zoneLabel,
} from "./time";

afterEach(() => {
  vi.useRealTimers();
  syncServerClock(new Date().toISOString(), Date.now(), Date.now());
});

describe("formatAge", () => {
  it.each([
    [null, "unknown"],
    [undefined, "unknown"],
    [Number.NaN, "unknown"],
    [0.84, "0.8 s"],
    [-3, "0.0 s"],
    [14.4, "14 s"],
    [119, "119 s"],
    [185, "3 min"],
    [7300, "2 h"],
    [400_000, "5 d"],
  ])("test_age__%s_seconds__%s", (seconds, words) => {
    expect(formatAge(seconds)).toBe(words);
  });
});

describe("elapsed and durations", () => {
  it("test_elapsed__under_an_hour__minutes_and_seconds", () => {
    expect(formatElapsed(252_000)).toBe("4:12");
    expect(formatElapsed(430, true)).toBe("0:00.4");
  });
  it("test_elapsed__over_an_hour__hours_shown", () =>
    expect(formatElapsed(3_661_000)).toBe("1:01:01"));
  it("test_elapsed__negative__zero", () => expect(formatElapsed(-5)).toBe("0:00"));
  it("test_duration__small_to_large__fitting_unit", () => {
    expect([0.018, 0.42, 12.34, 72, 599.9, null].map(formatDuration)).toEqual([
      "18 ms",
      "0.42 s",
      "12.3 s",
      "1 min 12 s",
      "10 min 0 s",
      "–",
    ]);
  });
  it("test_estimate__null__says_unknown", () => {
    expect(formatEstimate(null)).toBe("unknown time");
    expect(formatEstimate(0.9)).toBe("0.9 s");
  });
});

describe("the server's clock", () => {
  it("test_server_now__server_ahead__shifted_by_the_middle_of_the_round_trip", () => {
    vi.useFakeTimers({ now: 1_000_000 });
    syncServerClock(new Date(1_060_000).toISOString(), 999_900, 1_000_100);
    expect(serverNow()).toBe(1_060_000);
    expect(clockSkewSeconds()).toBe(60);
  });
  it("test_learn__unreadable_time__keeps_what_it_knew", () => {
    syncServerClock(new Date(5000).toISOString(), 0, 0);
    syncServerClock("soon", 0, 0);
    expect(serverNow(0)).toBe(5000);
  });
});

describe("moments", () => {
  const at = "2026-11-21T02:14:07.612Z";
  it("test_clock__utc__no_local_shift", () => {
    expect(formatClock(at, "utc")).toBe("02:14:07");
    expect(formatClock(at, "utc", true)).toBe("02:14:07.612");
  });
  it("test_full__utc__labelled", () =>
    expect(formatFull(at, "utc")).toBe("2026-11-21 02:14:07 UTC"));
  it("test_moment__other_day__date_comes_first", () => {
    expect(formatMoment(at, "utc", Date.parse("2026-11-21T12:00:00Z"))).toBe("02:14:07");
    expect(formatMoment(at, "utc", Date.parse("2026-11-23T12:00:00Z"))).toBe("21 Nov 02:14");
  });
});

describe("zones and clocks", () => {
  const at = "2026-07-21T22:14:07.612Z";
  const rome = { timeZone: "Europe/Rome", is12h: false };
  const delhi = { timeZone: "Asia/Kolkata", is12h: true };
  it("test_named_zone__summer__shifted_and_labelled", () => {
    expect(formatClock(at, rome)).toBe("00:14:07");
    expect(formatFull(at, rome)).toBe("2026-07-22 00:14:07 Europe/Rome, UTC+2");
    expect(zoneLabel(rome, new Date("2026-01-21T12:00:00Z"))).toBe("Europe/Rome, UTC+1");
  });
  it("test_named_zone__half_hour__in_the_label", () =>
    expect(zoneLabel(delhi, new Date(at))).toBe("Asia/Kolkata, UTC+5:30"));
  it("test_clock_of_12_hours__midnight_and_noon__12", () => {
    const utc = { timeZone: "UTC", is12h: true };
    expect(formatClock("2026-11-21T00:05:07.612Z", utc, true)).toBe("12:05:07.612 AM");
    expect(formatClock("2026-11-21T12:05:07Z", utc)).toBe("12:05:07 PM");
    expect(formatMoment(at, utc, Date.parse("2026-11-23T12:00:00Z"))).toBe("21 Jul 10:14 PM");
  });
  it("test_moment__same_day_in_the_zone_only__clock_time", () =>
    expect(formatMoment(at, rome, Date.parse("2026-07-22T10:00:00Z"))).toBe("00:14:07"));
});
