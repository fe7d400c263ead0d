import { describe, expect, it } from "vitest";
import { readPosition, readTimeRange, suggestKind } from "./lookup-kinds";

describe("suggestKind", () => {
  it.each([
    ["48213", "xid"],
    ["221,463,896", "xid"],
    ["0-11-57", "gtid"],
    ["mariadb-bin.000211:884120377", "position"],
    ["mariadb-bin.000211 : 884,120,377", "position"],
    ["binlog.000042 1309", "position"],
    ["2026-03-04 05:06:07", "time"],
    ["2026-03-04T05:06Z", "time"],
    ["2026-03-04", "time"],
    ["shop.orders", "table"],
    ["UPDATE orders", "text"],
    ["orders", "text"],
    ["  ", undefined],
  ])("reads %j as %s", (typed, kind) => expect(suggestKind(typed)).toBe(kind));
});

describe("readPosition", () => {
  it("takes file and offset apart", () =>
    expect(readPosition("mariadb-bin.000211 : 884,120,377")).toEqual({
      file: "mariadb-bin.000211",
      position: 884_120_377,
    }));
  it("refuses what is no position", () => {
    expect(readPosition("binlog:7")).toBeUndefined();
    expect(readPosition("binlog.000001:3")).toBeUndefined();
  });
});

describe("readTimeRange", () => {
  it("spans what is typed", () => {
    expect(readTimeRange("2026-03-04 05:06", "utc")).toEqual({
      since: "2026-03-04T05:06:00.000Z",
      until: "2026-03-04T05:06:59.000Z",
    });
    expect(readTimeRange("2026-03-04 05:06:07 UTC", "local")?.until).toBe(
      "2026-03-04T05:06:07.000Z",
    );
    expect(readTimeRange("2026-03-04", "utc")?.until).toBe("2026-03-04T23:59:59.000Z");
  });
  it("refuses what is no time", () => {
    expect(readTimeRange("2026-13-40 05:06", "utc")).toBeUndefined();
    expect(readTimeRange("yesterday", "utc")).toBeUndefined();
  });
});
