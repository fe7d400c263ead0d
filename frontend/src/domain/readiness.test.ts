import { broken, calm, unseen } from "@mock/seeds/links";
import { failedOver, siteLost } from "@mock/seeds/site-links";
import { describe, expect, it } from "vitest";
import { failoverReadiness, lagLine, relocateReadiness, siteLossImpact } from "./readiness";

describe("failover readiness", () => {
  it("test_answer__active_lives__by_switchover_losing_nothing", () =>
    expect(failoverReadiness(calm(), false)).toEqual({
      tone: "ok",
      word: "ready",
      detail: "switchover in 1.9 s · data loss: 0",
    }));
  it("test_answer__active_lost__ready_with_its_loss_and_a_warning", () =>
    expect(failoverReadiness(siteLost(20), false)).toEqual({
      tone: "warn",
      word: "ready",
      detail: "in 3.1 s · data loss: 12",
    }));
  it("test_answer__failed_over__not_until_reprotected", () => {
    const answer = failoverReadiness(failedOver(), false);
    expect(answer.word).toBe("blocked");
    expect(answer.detail).toMatch(/invalidated/i);
  });
  it("test_answer__old_facts__unknown_whatever_they_said", () =>
    expect(failoverReadiness(siteLost(20), true).tone).toBe("unknown"));
  it("test_answer__one_kind_unknown__not_blocked", () =>
    expect(failoverReadiness(unseen(), false).word).toBe("unknown"));
  it("test_answer__never_checked__unknown_not_blocked", () =>
    expect(failoverReadiness({ ...calm(), readiness: {} }, false).word).toBe("unknown"));
  it("test_answer__loss_not_known__said_so_and_warned", () => {
    const failover = {
      state: "ready" as const,
      sentence: "",
      estimate_s: null,
      loss_transactions: null,
      loss_at_least: null,
      rehearsed_at: null,
      rehearsed_ok: null,
    };
    expect(failoverReadiness({ ...calm(), readiness: { failover } }, false)).toEqual({
      tone: "warn",
      word: "ready",
      detail: "time unknown · data loss unknown",
    });
  });
});

describe("impact of losing the active side", () => {
  it("test_if_lost__well__what_it_would_cost", () =>
    expect(siteLossImpact(calm(), false)).toBe("if milan is lost: in 2.0 s · data loss: 3"));
  it("test_if_lost__lost_already_or_old_facts__not_the_question", () => {
    expect(siteLossImpact(siteLost(9), false)).toBeNull();
    expect(siteLossImpact(calm(), true)).toBeNull();
  });
});

describe("relocate readiness", () => {
  it("test_answer__ready__ready_in_seconds_with_its_data_loss", () =>
    expect(relocateReadiness(broken(14), false)).toEqual({
      tone: "ok",
      word: "ready",
      detail: "in 0.9 s · data loss: 0",
    }));
  it("test_answer__server_does_not_know__unknown", () =>
    expect(relocateReadiness(unseen(), false).word).toBe("unknown"));
  it("test_answer__never_checked__unknown", () =>
    expect(relocateReadiness({ ...calm(), readiness: {} }, false).word).toBe("unknown"));
});

describe("lines and addresses", () => {
  it("test_lag__in_sync_broken_unknown__words", () => {
    expect(lagLine(calm(), "forward")).toBe("in sync");
    expect(lagLine(broken(10), "forward")).toBe("broken, 860 behind");
    expect(lagLine(unseen(), "reverse")).toBe("unknown");
    expect(lagLine({ ...calm(), channels: [] }, "reverse")).toBe("no channel");
  });
});
