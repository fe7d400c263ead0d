import { describe, expect, it } from "vitest";
import type { ConfigurationChange, ConfigurationRow } from "@/api/types";
import { needsAttention, settingStatus, statementsOf } from "./configuration";

const ROW: ConfigurationRow = {
  name: "evs.send_window",
  is_option: true,
  values: [{ node: "a1", value: "4" }],
  default: "4",
  meaning: "",
  must_be_equal: true,
  differs: false,
  takes_effect: "now",
  can_be_planned: false,
  note_kind: "",
  note: "",
  recommendation: null,
};

const change = (node: string, name: string): ConfigurationChange => ({
  node,
  name,
  before: "4",
  after: "512",
  is_option: true,
  needs_restart: false,
  sql: `SET ${name} 512;`,
  undo: `SET ${name} 4;`,
});

describe("settingStatus", () => {
  it("says nothing of an equal setting, and that an unread node leaves it unknown", () => {
    expect(settingStatus(ROW)).toBeNull();
    expect(settingStatus({ ...ROW, differs: null })?.tone).toBe("unknown");
    expect(needsAttention({ ...ROW, differs: null })).toBe(false);
  });

  it("puts what harms before what differs", () => {
    expect(settingStatus({ ...ROW, differs: true, note_kind: "harmful" })?.word).toBe("harmful");
    expect(settingStatus({ ...ROW, differs: true })?.word).toBe("differs");
    expect(settingStatus({ ...ROW, differs: true, must_be_equal: false })).toBeNull();
  });
});

describe("statementsOf", () => {
  it("names each node once and undoes in the reverse order", () => {
    const changes = [change("a1", "x"), change("a1", "y"), change("a2", "x")];
    expect(statementsOf(changes, "sql")).toEqual([
      "-- on a1",
      "SET x 512;",
      "SET y 512;",
      "-- on a2",
      "SET x 512;",
    ]);
    expect(statementsOf(changes, "undo")).toEqual([
      "-- on a2",
      "SET x 4;",
      "-- on a1",
      "SET y 4;",
      "SET x 4;",
    ]);
  });
});
