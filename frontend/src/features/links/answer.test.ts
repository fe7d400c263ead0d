import { describe, expect, it } from "vitest";
import { broken, calm, unseen } from "@/testing/mock/links";
import { couldAct, lagLine } from "./answer";
import { flowAddress, proposalOf } from "./proposal";

describe("could I act now", () => {
  it("test_answer__ready__yes_in_seconds_losing_what", () => {
    expect(couldAct(broken(14), false)).toEqual({
      tone: "ok",
      word: "yes",
      detail: "in 0.9 s · losing 0",
    });
  });
  it("test_answer__old_facts__unknown_whatever_they_said", () =>
    expect(couldAct(broken(14), true).tone).toBe("unknown"));
  it("test_answer__server_does_not_know__unknown", () =>
    expect(couldAct(unseen(), false).word).toBe("unknown"));
  it("test_answer__never_checked__unknown_not_no", () =>
    expect(couldAct({ ...calm(), readiness: {} }, false).word).toBe("unknown"));
  it("test_answer__loss_not_known__said_so", () => {
    const link = {
      ...calm(),
      readiness: {
        relocate: {
          answer: "ready" as const,
          sentence: "",
          estimate_s: null,
          loss_transactions: null,
        },
      },
    };
    expect(couldAct(link, false).detail).toBe("time unknown · loss unknown");
  });
});

describe("lines and addresses", () => {
  it("test_lag__in_step_broken_unknown__words", () => {
    expect(lagLine(calm().channels, "forward")).toBe("in step");
    expect(lagLine(broken(10).channels, "forward")).toBe("broken, 860 behind");
    expect(lagLine(unseen().channels, "reverse")).toBe("unknown");
    expect(lagLine([], "reverse")).toBe("no channel");
  });
  it("test_address__suggested_pair__carried_in_the_address", () => {
    expect(flowAddress(broken(1), "relocate")).toBe(
      "/links/l_payments/relocate/situation?source_node=n_a2&replica_node=n_b1",
    );
  });
  it("test_proposal__no_action__nothing_drawn", () => expect(proposalOf(calm())).toBeNull());
  it("test_proposal__relocate__by_names", () =>
    expect(proposalOf(broken(1))?.label).toBe("proposed: db-a2 ⇄ db-b1"));
});
