import { calm } from "@mock/seeds/links";
import { describe, expect, it } from "vitest";
import { describeStale, withCurrentAge } from "./freshness";
import { candidatesOf } from "./node-eligibility";

const whyNot = (link: ReturnType<typeof calm>) =>
  candidatesOf(link.clusters.active).map((candidate) => candidate.ineligibleReason);

describe("a link that was read a while ago", () => {
  it("test_aged__nodes_that_were_eligible__cannot_be_chosen_and_say_their_age", () => {
    const link = calm();
    expect(whyNot(link)).toEqual([null, null, null]);
    for (const because of whyNot(withCurrentAge(link, (link.age_s ?? 0) + 30)))
      expect(because).toMatch(/^last update 3\d s ago$/);
  });
  it("test_aged__just_read__as_it_is", () => {
    const link = calm();
    expect(withCurrentAge(link, link.age_s)).toEqual(link);
  });
});

describe("describeStale", () => {
  it("test_as_of__fresh__as_it_is", () =>
    expect(describeStale("All is well.", 5)).toBe("All is well."));
  it("test_as_of__old__last_known_with_its_age", () =>
    expect(describeStale("All is well.", 14)).toBe(
      "Data is 14 s old. Last known state: All is well.",
    ));
  it("test_as_of__never_read__claims_nothing", () =>
    expect(describeStale("All is well.", null)).toBe("No data yet."));
});
