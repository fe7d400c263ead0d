import { describe, expect, it } from "vitest";
import { layoutLink } from "./layout";

const site = (letter: string, count = 3) => ({
  nodes: Array.from({ length: count }, (_, i) => ({ id: `${letter}${i + 1}` })),
});
const forward = (sourceNode: string | null, replicaNode: string | null) => ({
  direction: "forward" as const,
  sourceNode,
  replicaNode,
});
const reverse = (sourceNode: string | null, replicaNode: string | null) => ({
  direction: "reverse" as const,
  sourceNode,
  replicaNode,
});

describe("layoutLink", () => {
  it("test_layout__three_and_three__sites_side_by_side", () => {
    const picture = layoutLink(site("a"), site("b"), [], null);
    expect(picture.nodes.size).toBe(6);
    const [left, right] = picture.sites;
    expect(left.x + left.width).toBeLessThan(right.x);
    for (const [id, box] of picture.nodes) {
      const frame = id.startsWith("a") ? left : right;
      expect(box.x).toBeGreaterThan(frame.x);
      expect(box.y + box.height).toBeLessThan(frame.y + frame.height);
    }
  });

  it("test_layout__uneven_sites__frames_equally_tall", () => {
    const [left, right] = layoutLink(site("a", 5), site("b", 1), [], null).sites;
    expect(left.height).toBe(right.height);
  });

  it("test_layout__pair_of_channels__straight_and_apart", () => {
    const { arrows } = layoutLink(
      site("a"),
      site("b"),
      [forward("a1", "b1"), reverse("b1", "a1")],
      null,
    );
    expect(arrows.map((arrow) => arrow.path.includes("H"))).toEqual([true, true]);
    const [f, r] = arrows;
    expect(r!.label.y - f!.label.y).toBeGreaterThanOrEqual(22);
  });

  it("test_layout__stray_twin__labels_do_not_cover_each_other", () => {
    const { arrows } = layoutLink(
      site("a"),
      site("b"),
      [forward("a1", "b1"), reverse("b1", "a1"), forward("a1", "b1")],
      null,
    );
    const ys = arrows.map((arrow) => arrow.label.y).sort((a, b) => a - b);
    for (let i = 1; i < ys.length; i++) expect(ys[i]! - ys[i - 1]!).toBeGreaterThanOrEqual(22);
    expect(new Set(arrows.map((arrow) => arrow.path)).size).toBe(3);
  });

  it("test_layout__any_sites_and_channels__labels_apart_and_in_the_picture", () => {
    for (let left = 1; left <= 9; left++)
      for (let right = 1; right <= 9; right++) {
        const [a, b] = [`a${left}`, `b${right}`];
        const picture = layoutLink(
          site("a", left),
          site("b", right),
          [forward("a1", b), reverse("b1", a), forward(a, "b1"), reverse(b, "a1")],
          { sourceNode: "a1", replicaNode: "b1" },
        );
        const drawn = [...picture.arrows, picture.proposed!].map((arrow) => arrow.label.y);
        const ys = drawn.sort((one, other) => one - other);
        expect(ys).toHaveLength(5);
        for (let i = 1; i < ys.length; i++) expect(ys[i]! - ys[i - 1]!).toBeGreaterThanOrEqual(22);
        expect(ys[0]!).toBeGreaterThan(10);
        expect(ys[4]!).toBeLessThan(picture.height - 10);
      }
  });

  it("test_layout__end_not_among_the_nodes__told_in_words_instead", () => {
    const picture = layoutLink(
      site("a"),
      site("b"),
      [forward(null, "b1"), reverse("x9", "a1")],
      null,
    );
    expect(picture.arrows).toEqual([]);
    expect(picture.unplaced).toEqual([0, 1]);
  });

  it("test_layout__proposed_pair__drawn_as_a_curve_between_rows", () => {
    const { proposed } = layoutLink(site("a"), site("b"), [], {
      sourceNode: "a2",
      replicaNode: "b1",
    });
    expect(proposed?.path).toContain("C");
    expect(
      layoutLink(site("a"), site("b"), [], { sourceNode: "zz", replicaNode: "b1" }).proposed,
    ).toBeNull();
  });
});
