import { broken, calm, failedOver } from "@mock/seeds/links";
import { describe, expect, it } from "vitest";
import { otherOperations } from "./LinkStatusCallout";

describe("the acts behind the primary one", () => {
  it("test_acts__well__nothing_that_is_not_needed", () =>
    expect(otherOperations(calm())).toEqual(["relocate", "switchover", "failover"]));
  it("test_acts__primary_act__stands_apart", () =>
    expect(otherOperations(broken(9))).not.toContain("relocate"));
  it("test_acts__away_from_home__the_switchover_is_the_way_home", () => {
    const kinds = otherOperations(failedOver());
    expect(kinds).toContain("failback");
    expect(kinds).not.toContain("switchover");
    expect(kinds).not.toContain("reprotect");
  });
});
