import { broken, calm } from "@mock/seeds/links";
import { describe, expect, it } from "vitest";
import { operationPath, suggestedRelocation } from "./suggested-relocation";

describe("the suggested relocation", () => {
  it("test_address__suggested_pair__carried_in_the_address", () => {
    expect(operationPath(broken(1), "relocate")).toBe(
      "/links/l_payments/relocate/situation?source_node=n_a2&replica_node=n_b1",
    );
  });
  it("test_address__other_kinds__their_own_pages", () =>
    expect(operationPath(broken(1), "failover")).toBe("/links/l_payments/failover/situation"));
  it("test_proposal__no_action__nothing_drawn", () =>
    expect(suggestedRelocation(calm())).toBeNull());
  it("test_proposal__relocate__by_names", () =>
    expect(suggestedRelocation(broken(1))?.label).toBe("proposed: db-a2 ⇄ db-b1"));
});
