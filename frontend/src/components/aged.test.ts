import { describe, expect, it } from "vitest";
import { calm } from "@/testing/mock/links";
import { aged } from "./aged";
import { candidatesOf } from "./candidates";

const whyNot = (link: ReturnType<typeof calm>) =>
  candidatesOf(link.clusters.active, Date.now()).map((candidate) => candidate.because);

describe("a link that was read a while ago", () => {
  it("test_aged__nodes_that_were_well__cannot_be_chosen_and_say_when_they_were_seen", () => {
    const link = calm();
    expect(whyNot(link)).toEqual([null, null, null]);
    for (const because of whyNot(aged(link, (link.age_s ?? 0) + 30)))
      expect(because).toMatch(/^last seen 3\d s ago$/);
  });
  it("test_aged__just_read__as_it_is", () => {
    const link = calm();
    expect(aged(link, link.age_s)).toEqual(link);
  });
});
