import { describe, expect, it } from "vitest";
import { curlCommand } from "@/lib/curl-command";
import {
  formatBytes,
  formatNumber,
  formatPosition,
  pluralize,
  shortHash,
} from "@/lib/format/number";
import { can } from "./permissions";
import { sortBySeverity } from "./severity";
import { statusFor } from "./status";
import { stripNodePrefix } from "./step-title";

describe("titles", () => {
  it("test_title__behind_its_node__begins_a_sentence", () =>
    expect(stripNodePrefix("db-b1: stop the forward channel", "db-b1")).toBe(
      "Stop the forward channel",
    ));
  it("test_title__begins_with_a_name__left_as_it_is", () =>
    expect(stripNodePrefix("frankfurt becomes active", null)).toBe("frankfurt becomes active"));
});

describe("numbers", () => {
  it("test_grouped__null__unknown_never_zero", () => expect(formatNumber(null)).toBe("unknown"));
  it("test_grouped__large__every_digit_kept", () =>
    expect(formatNumber(221_463_896)).toBe("221,463,896"));
  it("test_counted__one_many_unknown__grammar", () => {
    expect([1, 1204, null].map((n) => pluralize(n, "transaction"))).toEqual([
      "1 transaction",
      "1,204 transactions",
      "an unknown number of transactions",
    ]);
  });
  it("test_position__without_a_file__not_a_position", () => {
    expect(formatPosition(null, 4)).toBe("unknown");
    expect(formatPosition("mariadb-bin.000211", 884_120_377)).toBe(
      "mariadb-bin.000211 : 884,120,377",
    );
  });
  it("test_bytes__units__rounded_once", () =>
    expect([412, 1536, 12_884_901_888].map(formatBytes)).toEqual(["412 B", "1.5 kB", "12 GB"]));
  it("test_hash__prefix__left_out", () => expect(shortHash("sha256:7f3a9c1e5b", 4)).toBe("7f3a"));
});

describe("tones", () => {
  it("test_status__state_not_known_to_this_console__unknown_by_its_own_name", () => {
    expect(statusFor("link", "haunted")).toEqual({ tone: "unknown", word: "haunted" });
  });
  it("test_gravity__mixed__blockers_then_unknowns", () => {
    const order = sortBySeverity(
      ["ok", "warning", "unknown", "info", "blocker"].map((severity) => ({ severity })),
    );
    expect(order.map((f) => f.severity)).toEqual(["blocker", "unknown", "warning", "info", "ok"]);
  });
});

describe("abilities", () => {
  it("test_may__viewer__reads_only", () => {
    expect(
      (["plan", "run", "abort", "lookup", "lab", "approve", "register"] as const).some((ability) =>
        can(["read"], ability),
      ),
    ).toBe(false);
  });
  it("test_may__operator__cannot_approve", () => {
    expect(can(["read", "plan", "run"], "run")).toBe(true);
    expect(can(["read", "plan", "run"], "approve")).toBe(false);
  });
  it("test_may__nobody__nothing", () => expect(can(undefined, "plan")).toBe(false));
});

describe("curlLine", () => {
  it("test_curl__body_with_a_quote__safe_in_a_shell", () => {
    expect(curlCommand("POST", "/api/v1/x", "http://h", { reason: "it's" })).toContain(
      String.raw`{"reason":"it'\''s"}`,
    );
  });
  it("test_curl__get__no_body", () =>
    expect(curlCommand("GET", "/a", "http://h")).not.toContain("-d"));
});
