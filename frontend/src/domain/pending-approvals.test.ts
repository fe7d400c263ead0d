import { makePlan } from "@mock/seeds/plans";
import { runAt } from "@mock/seeds/runs";
import { describe, expect, it } from "vitest";
import type { Approval, CurrentUser, ProtectedChange, Run } from "@/api/types";
import {
  changesAbout,
  confirmRefusal,
  exceptionOf,
  pendingCount,
  rejectEffect,
  reviewRefusal,
  secondsUntil,
} from "./pending-approvals";

const me = (username: string, role: CurrentUser["role"] = "admin") =>
  ({ username, role }) as CurrentUser;
const change = (over: Partial<ProtectedChange> = {}) =>
  ({
    kind: "approver_added",
    target: "eve",
    requested_by: "alice",
    ...over,
  }) as ProtectedChange;

describe("what waits", () => {
  it("test_count__runs_changes_and_exceptions__together", () => {
    const waiting = { runs: [{}, {}], changes: [change()], exceptions: [{}] };
    expect(pendingCount(waiting as never)).toBe(4);
  });
  it("test_changes__of_one_target__no_others", () => {
    const changes = [change(), change({ target: "l_1" })];
    const waiting = { runs: [], changes, exceptions: [] };
    expect(changesAbout(waiting, "l_1")).toEqual([changes[1]]);
    expect(changesAbout(undefined, "l_1")).toEqual([]);
  });
  it("test_changes__of_one_kind__no_others_of_the_target", () => {
    const [rule, retirement] = ["approval_rule_off", "link_retirement"].map((kind) =>
      change({ kind, target: "l_1" }),
    );
    const waiting = { runs: [], changes: [rule!, retirement!], exceptions: [] };
    expect(changesAbout(waiting, "l_1", "approval_rule_off")).toEqual([rule]);
  });
  it("test_confirm__second_administrator__may", () =>
    expect(confirmRefusal(change(), me("bob"))).toBeNull());
  it.each([
    ["who asked", me("Alice"), /You requested/],
    ["whom it is about", me("eve"), /about your account/],
    ["no administrator", me("bob", "approver"), /administrator/],
  ])("test_confirm__%s__told_why_not", (_, person, why) =>
    expect(confirmRefusal(change(), person)).toMatch(why),
  );
  it.each([
    ["approver_promoted", "eve", /disables eve/],
    ["os_user_mapped", "eve", /host accounts/],
    ["approver_token_made", "t_1", /revokes the token/],
    ["approval_rule_off", "l_1", /keeps the approval rule on/],
    ["link_retirement", "l_1", /keeps the link/],
  ])("test_reject__%s__says_what_becomes_of_it", (kind, target, effect) =>
    expect(rejectEffect(change({ kind, target }))).toMatch(effect),
  );
});

describe("a review", () => {
  it("test_review__another_user__may", () =>
    expect(reviewRefusal(["alice", "bob"], me("carol", "approver"))).toBeNull());
  it("test_review__who_made_the_exception__told_why_not", () =>
    expect(reviewRefusal(["alice"], me("ALICE"))).toMatch(/Another user/));
  it("test_review__operator__told_why_not", () =>
    expect(reviewRefusal([], me("carol", "operator"))).toMatch(/approver/));
});

describe("time left", () => {
  const at = "2026-11-25T12:00:00Z";
  it("test_left__to_come__seconds", () =>
    expect(secondsUntil(at, Date.parse(at) - 90_000)).toBe(90));
  it("test_left__over__zero", () => expect(secondsUntil(at, Date.parse(at) + 1)).toBe(0));
  it("test_left__no_end__null", () => expect(secondsUntil(null, 0)).toBeNull());
});

describe("exceptionOf", () => {
  const run = (...approvals: Partial<Approval>[]) =>
    ({ ...runAt("r", makePlan("p", "", {}), 0, ""), approvals }) as Run;
  it("test_exception__approved_by_a_person__none", () =>
    expect(exceptionOf(run({ is_exception: false }))).toBeNull());
  it("test_exception__one_reviewed_one_not__the_one_that_waits", () => {
    const first = { is_exception: true, reviewed_at: "2026-11-25T12:00:00Z" };
    const second = { is_exception: true, reviewed_at: null };
    expect(exceptionOf(run(first, second))?.reviewed_at).toBeNull();
    expect(exceptionOf(run(first))?.reviewed_at).toBe(first.reviewed_at);
  });
});
