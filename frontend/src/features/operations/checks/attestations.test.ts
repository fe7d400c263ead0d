import { describe, expect, it } from "vitest";
import type { Finding, Plan, PlanOptions } from "@/api/types";
import { requiredAttestations } from "./attestations";

const finding = (code: string, severity: Finding["severity"]): Finding => ({
  code,
  severity,
  message: code,
  remedy: "",
  facts: {},
});

const plan = (options: PlanOptions, ...findings: Finding[]) =>
  ({ findings, options }) as unknown as Plan;

const keys = (asked: Plan) => requiredAttestations(asked).map((word) => word.key);

describe("the words a rebuild asks for", () => {
  const unknown = finding("orphans_unknown", "unknown");
  const thrown = finding("orphans_rebuild", "blocker");

  it("gives up orphans only by a person's word", () => {
    expect(keys(plan({ orphans: "rebuild" }, thrown))).toEqual(["accept_loss"]);
    expect(keys(plan({ orphans: "rebuild" }, unknown))).toEqual(["accept_loss"]);
  });

  it("asks nothing once it is given", () => {
    expect(keys(plan({ orphans: "rebuild", accept_loss: true }, thrown))).toEqual([]);
  });

  it("lets nobody answer for orphans that are to be looked for", () => {
    expect(keys(plan({ orphans: "attach" }, unknown))).toEqual([]);
    expect(keys(plan({ orphans: "undo" }, unknown))).toEqual([]);
  });
});

describe("the word for a record older than the servers", () => {
  const behind = finding("unknown_runs_found", "blocker");

  it("is asked as an override, once", () => {
    expect(
      requiredAttestations(plan({}, behind)).map((word) => [word.key, word.isOverride]),
    ).toEqual([["attest_unknown_runs", true]]);
    expect(keys(plan({ attest_unknown_runs: true }, behind))).toEqual([]);
  });
});
