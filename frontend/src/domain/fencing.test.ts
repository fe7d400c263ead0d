import { describe, expect, it } from "vitest";
import { nodeFence, sideFence } from "./fencing";

const nodes = (...states: (boolean | null)[]) => states.map((read_only) => ({ read_only }));

describe("the fence of a side", () => {
  it("test_fence__all_read_only__fenced", () =>
    expect(sideFence(nodes(true, true, true)).words).toBe("fenced"));
  it("test_fence__one_node_writable__counted_not_rounded", () =>
    expect(sideFence(nodes(true, false, null))).toEqual({
      tone: "warn",
      words: "fenced 1 of 3, 1 unknown",
    }));
  it("test_fence__no_node_read__unknown", () =>
    expect(sideFence(nodes(null, null)).tone).toBe("unknown"));
  it("test_fence__some_unknown_rest_open__not_open_everywhere", () =>
    expect(sideFence(nodes(false, null)).words).toBe("writable 1 of 2, 1 unknown"));
  it("test_fence__node__three_states", () =>
    expect([true, false, null].map(nodeFence)).toEqual(["fenced", "open", "unknown"]));
});
