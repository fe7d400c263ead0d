import { row } from "@mock/seeds/link-rows";
import { describe, expect, it } from "vitest";
import { pairLabel, pairSentence, sitePairs } from "@/domain/fleet/site-pairs";
import { sitesOf } from "@/domain/fleet/view";
import { siteMapLayout, WIDE } from "./site-map-layout";

const rows = [
  row("a", { state: "broken" }),
  row("b", {}, ["Frankfurt", "Milan"]),
  row("c", {}, ["Oslo", "Rome"]),
  row("d", { state: "unknown" }, ["Rome", "Rome"]),
];
const pairs = sitePairs(rows);

describe("pairs of sites", () => {
  it("test_pairs__worst_first_whichever_side_is_active", () =>
    expect(pairs.map(({ key }) => key)).toEqual([
      "Frankfurt ⇄ Milan",
      "Rome ⇄ Rome",
      "Oslo ⇄ Rome",
    ]));
  it("test_label__how_many_are_in_the_worst_state", () => {
    expect(pairs.map(pairLabel)).toEqual(["1 of 2 broken", "1 unknown", "1 protected"]);
    expect(pairs.map(pairSentence)[0]).toBe("Frankfurt and Milan: 2 links, 1 broken, 1 protected");
  });
});

it("test_map__each_site_inside_and_each_pair_between_its_sites", () => {
  const { sites, edges } = siteMapLayout(sitesOf(rows), pairs, WIDE);
  expect(sites.map(({ name }) => name)).toEqual(["Frankfurt", "Milan", "Oslo", "Rome"]);
  for (const { x, y } of [...sites, ...edges.map(({ label }) => label)]) {
    expect(x).toBeGreaterThan(WIDE.site.width / 2 - 1);
    expect(x).toBeLessThan(WIDE.width - WIDE.site.width / 2 + 1);
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(WIDE.height);
  }
  expect(edges).toHaveLength(3);
});
