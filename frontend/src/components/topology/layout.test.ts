import { describe, expect, it } from "vitest";
import { type Box, layoutLink, SIGN_WIDTH, SITE_WIDTH, type SignInput, WIDTH } from "./layout";

const site = (letter: string, count = 3) => ({
  nodes: Array.from({ length: count }, (_, i) => ({ id: `${letter}${i + 1}` })),
});
const sign = (from: string | null, to: string | null, lines = 2): SignInput => ({
  from,
  to,
  lines,
});

/** Pairs of channels: straight, crossed, moved, with stray ones on all nodes, one end unknown, none at all. */
const channelSets = (left: number, right: number): SignInput[][] => {
  const [a, b] = [`a${left}`, `b${right}`];
  const strays = Array.from({ length: Math.max(left, right) }, (_, i) =>
    sign(`a${Math.min(i + 1, left)}`, `b${Math.min(i + 1, right)}`, 3),
  );
  return [
    [sign("a1", "b1"), sign("b1", "a1")],
    [sign("a1", b), sign("b1", a)],
    [sign(a, "b1", 3), sign(b, "a1"), sign(null, null)],
    [sign("a1", "b1"), ...strays, sign(b, a), sign("a1", b)],
    [sign(null, "b1"), sign("gone", "a1"), sign(null, null, 1), sign("a1", "b1", 4)],
    [sign(null, null), sign(null, null)],
    [],
  ];
};

const meet = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
const isWithin = (inner: Box, outer: Box) =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;
const anyMeet = (boxes: readonly Box[]) =>
  boxes.some((box, i) => boxes.slice(i + 1).some((other) => meet(box, other)));

/** A curve stays in the rectangle around its points. */
function around(path: string): Box {
  const numbers = (path.match(/-?[\d.]+/g) ?? []).map(Number);
  const [xs, ys] = [0, 1].map((which) => numbers.filter((_, i) => i % 2 === which)) as [
    number[],
    number[],
  ];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

const each = (check: (picture: ReturnType<typeof layoutLink>, inputs: SignInput[]) => void) => {
  for (let left = 1; left <= 9; left++)
    for (let right = 1; right <= 9; right++)
      for (const inputs of channelSets(left, right))
        check(layoutLink(site("a", left), site("b", right), inputs), inputs);
};

describe("layoutLink", () => {
  it("test_layout__any_sites_and_channels__no_two_labels_overlap_and_none_is_outside", () =>
    each(({ width, height, sites, nodes, signs }) => {
      const view = { x: 0, y: 0, width, height };
      const labels = [...nodes.values(), ...signs.map(({ box }) => box)];
      expect(anyMeet(labels)).toBe(false);
      expect(anyMeet([...sites, ...signs.map(({ box }) => box)])).toBe(false);
      expect([...labels, ...sites].every((box) => isWithin(box, view))).toBe(true);
      for (const [id, box] of nodes)
        expect(isWithin(box, id.startsWith("a") ? sites[0] : sites[1])).toBe(true);
    }));

  it("test_layout__any_sites_and_channels__no_line_through_a_label", () =>
    each(({ sites, signs }) => {
      const labels = [...sites, ...signs.map(({ box }) => box)];
      for (const path of signs.flatMap(({ tail, head }) => [tail, head])) {
        if (path === null) continue;
        const { x, y, width, height } = around(path);
        // Into the margin of the site's frame, but not as far as a node.
        const room = { x: x + 20, y, width: width - 40, height: Math.max(height, 1) };
        expect(labels.some((label) => meet(label, room))).toBe(false);
      }
    }));

  it("test_layout__any_sites_and_channels__a_line_to_each_node_that_is_shown", () =>
    each(({ signs, nodes }, inputs) => {
      for (const [i, { tail, head }] of signs.entries()) {
        const { from, to } = inputs[i]!;
        expect([tail !== null, head !== null]).toEqual([
          from !== null && nodes.has(from),
          to !== null && nodes.has(to),
        ]);
      }
    }));

  it("test_layout__two_lines_at_one_node__end_apart", () => {
    const { signs } = layoutLink(site("a"), site("b"), [sign("a1", "b1"), sign("b1", "a1")]);
    const ys = [signs[0]!.tail!, signs[1]!.head!].map((path) => path.match(/[\d.]+/g)!.map(Number));
    expect(ys[0]![1]).not.toBe(ys[1]!.at(-1));
  });

  it("test_layout__uneven_sites__frames_equally_tall", () => {
    const [left, right] = layoutLink(site("a", 5), site("b", 1), []).sites;
    expect(left.height).toBe(right.height);
    expect(WIDTH).toBeGreaterThan(2 * SITE_WIDTH + SIGN_WIDTH);
  });
});
