import { describe, expect, it } from "vitest";
import type { RunStatement } from "@/api/types";
import { answerLine } from "./statement-log";

const sent: RunStatement = {
  id: "s",
  sql: "STOP SLAVE",
  node: "db-b1",
  connection_id: 1,
  sent_at: "2026-11-21T02:15:01.612Z",
  duration_ms: 18.2,
  state: "ok",
  warnings: [],
  error: "",
};

describe("answerLine", () => {
  it("test_answer__ok__time_and_no_warnings", () =>
    expect(answerLine(sent)).toBe("-- ok, 18 ms, 0 warnings"));
  it("test_answer__warnings__told", () =>
    expect(answerLine({ ...sent, warnings: ["1287 deprecated"] })).toContain("1287 deprecated"));
  it("test_answer__no_answer__not_a_failure_and_not_a_success", () => {
    expect(answerLine({ ...sent, state: "indeterminate" })).toContain("outcome unknown");
  });
  it("test_answer__after_a_crash__says_so", () =>
    expect(answerLine({ ...sent, state: "observed" })).toContain("not sent again"));
});
