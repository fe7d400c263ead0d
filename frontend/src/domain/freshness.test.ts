import { calm } from "@mock/seeds/links";
import { describe, expect, it } from "vitest";
import { describeStale, withCurrentAge } from "./freshness";
import { candidatesOf } from "./node-eligibility";

const whyNot = (link: ReturnType<typeof calm>) =>
  candidatesOf(link.clusters.active, Date.now()).map((candidate) => candidate.ineligibleReason);

describe("a link that was read a while ago", () => {
  it("test_aged__nodes_that_were_well__cannot_be_chosen_and_say_when_they_were_seen", () => {
    const link = calm();
    expect(whyNot(link)).toEqual([null, null, null]);
    for (const because of whyNot(withCurrentAge(link, (link.age_s ?? 0) + 30)))
      expect(because).toMatch(/^last seen 3\d s ago$/);
  });
  it("test_aged__just_read__as_it_is", () => {
    const link = calm();
    expect(withCurrentAge(link, link.age_s)).toEqual(link);
  });
});

describe("describeStale", () => {
  it("test_as_of__fresh__as_it_is", () =>
    expect(describeStale("All is well.", 5)).toBe("All is well."));
  it("test_as_of__old__not_known_with_its_age", () =>
    expect(describeStale("All is well.", 14)).toBe(
      "Not known now. Last read 14 s ago: All is well.",
    ));
  it("test_as_of__never_read__claims_nothing", () =>
    expect(describeStale("All is well.", null)).toBe("Not known now. Nothing was read yet."));
});
