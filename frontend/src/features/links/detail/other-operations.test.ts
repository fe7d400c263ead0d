import { broken, calm } from "@mock/seeds/links";
import { failedOver } from "@mock/seeds/site-links";
import { describe, expect, it } from "vitest";
import { otherOperations } from "./other-operations";

describe("the other operations", () => {
  it("test_operations__well__nothing_that_is_not_needed", () =>
    expect(otherOperations(calm())).toEqual([
      "relocate",
      "remove_channels",
      "switchover",
      "failover",
    ]));
  it("test_operations__recommended__not_repeated", () =>
    expect(otherOperations(broken(9))).not.toContain("relocate"));
  it("test_operations__away_from_home__failback_instead_of_switchover", () => {
    const kinds = otherOperations(failedOver());
    expect(kinds).toContain("failback");
    expect(kinds).not.toContain("switchover");
    expect(kinds).not.toContain("reprotect");
  });
});
