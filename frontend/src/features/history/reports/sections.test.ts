import { describe, expect, it } from "vitest";
import { sectionsOf } from "./sections";

const section = (heading: string, depth: number) => ({ heading, depth, blocks: [] });

describe("sectionsOf", () => {
  it("puts the sections within one below it", () => {
    const sections = [section("A", 1), section("A1", 2), section("A2", 2), section("B", 1)];
    const found = sectionsOf({ sections });
    expect(found.map(({ section: { heading } }) => heading)).toEqual(["A", "B"]);
    expect(found[0]?.parts.map(({ heading }) => heading)).toEqual(["A1", "A2"]);
  });

  it("shows an inner section without an outer one", () => {
    expect(sectionsOf({ sections: [section("A1", 2)] })).toHaveLength(1);
  });
});
