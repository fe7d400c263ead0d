import { describe, expect, it } from "vitest";
import {
  actWords,
  type Cast,
  castOf,
  kindOf,
  lossOrder,
  nounOf,
  type RolesIn,
  titleOf,
} from "./kinds";

const milan = { id: "c_milan", name: "Milan" };
const frankfurt = { id: "c_fra", name: "Frankfurt" };
const link: RolesIn = { name: "payments", active: milan, standby: frankfurt, homeId: "c_milan" };
const swapped: RolesIn = { ...link, active: frankfurt, standby: milan };
const cast: Cast = { link: "payments", from: "Milan", to: "Frankfurt", node: null };
const act = {
  cast,
  sourceName: "",
  replicaName: "",
  lossTransactions: 12,
  way: "attach" as const,
};

describe("the cast", () => {
  it.each(["switchover", "failover"] as const)("test_cast__%s__from_active_to_standby", (kind) =>
    expect(castOf(kind, link, null)).toMatchObject({ from: "Milan", to: "Frankfurt" }),
  );
  it("test_cast__failback__home", () =>
    expect(castOf("failback", swapped, null)).toMatchObject({ from: "Frankfurt", to: "Milan" }));
  it("test_cast__failback_at_home__home_all_the_same", () =>
    expect(castOf("failback", link, null)).toMatchObject({ from: "Frankfurt", to: "Milan" }));
  it("test_cast__reprotect__the_standby_comes_back", () =>
    expect(castOf("reprotect", swapped, null)).toMatchObject({ from: "Milan", to: "Frankfurt" }));
  it("test_cast__relocate__its_node", () =>
    expect(castOf("relocate", link, "db-a1").node).toBe("db-a1"));
});

describe("an act in words", () => {
  it("test_act__switchover__says_where_to_and_what_is_fenced", () =>
    expect(actWords({ ...act, kind: "switchover" })).toBe("Switch over to Frankfurt, fence Milan"));
  it("test_act__failover__says_the_loss", () =>
    expect(actWords({ ...act, kind: "failover" })).toBe(
      "Fail over to Frankfurt, lose at most 12 transactions seen",
    ));
  it("test_loss__unknown__never_nothing", () => {
    expect(lossOrder(null)).toContain("nobody knows");
    expect(lossOrder(0)).toBe("lose nothing that was seen");
    expect(lossOrder(1)).toBe("lose at most 1 transaction seen");
  });
  it.each([
    ["fence", "Fence Milan"],
    ["attach", "Attach Milan as the standby"],
    ["replay", "Replay the orphans on Frankfurt, then attach Milan"],
    ["undo", "Undo the orphans on Milan, then attach it"],
    ["rebuild", "Rebuild Milan from Frankfurt, then attach it"],
  ] as const)("test_act__reprotect_by_%s__says_which", (way, words) =>
    expect(actWords({ ...act, kind: "reprotect", way })).toBe(words),
  );
  it("test_act__names_not_known_yet__does_without", () =>
    expect(actWords({ ...act, kind: "failback", cast: { ...cast, from: null, to: null } })).toBe(
      "Go home",
    ));
  it("test_kind__unknown_to_this_console__keeps_its_name", () => {
    expect(kindOf("teleport")).toBeNull();
    expect(nounOf("teleport")).toBe("teleport");
    expect(titleOf("teleport", cast)).toBe("teleport payments");
  });
});
