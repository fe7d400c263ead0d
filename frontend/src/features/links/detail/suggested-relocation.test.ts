import { broken, calm } from "@mock/seeds/links";
import { describe, expect, it } from "vitest";
import { operationLink, suggestedRelocation } from "./suggested-relocation";

describe("the suggested relocation", () => {
  it("test_address__suggested_pair__carried_in_the_address", () => {
    expect(operationLink(broken(1), "relocate")).toEqual({
      to: "/links/$linkId/$kind/situation",
      params: { linkId: "l_payments", kind: "relocate" },
      search: { source_node: "n_a2", replica_node: "n_b1" },
    });
  });
  it("test_address__other_kinds__their_own_pages", () =>
    expect(operationLink(broken(1), "failover")).toMatchObject({
      params: { linkId: "l_payments", kind: "failover" },
      search: {},
    }));
  it("test_proposal__no_action__nothing_drawn", () =>
    expect(suggestedRelocation(calm())).toBeNull());
  it("test_proposal__relocate__by_names", () =>
    expect(suggestedRelocation(broken(1))?.label).toBe("proposed: db-a2 ⇄ db-b1"));
});
