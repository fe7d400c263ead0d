import { describe, expect, it } from "vitest";
import { confirmLabel, dataLossClause } from "./confirm-label";
import {
  kindOf,
  operationLabel,
  operationTitle,
  type Participants,
  withOperationNames,
} from "./operations";
import { participantsOf, type RolesInput } from "./participants";

const milan = { id: "c_milan", name: "Milan" };
const frankfurt = { id: "c_fra", name: "Frankfurt" };
const link: RolesInput = { name: "payments", active: milan, standby: frankfurt, homeId: "c_milan" };
const swapped: RolesInput = { ...link, active: frankfurt, standby: milan };
const participants: Participants = { link: "payments", from: "Milan", to: "Frankfurt", node: null };
const act = {
  participants: participants,
  sourceName: "",
  replicaName: "",
  lossTransactions: 12,
  lossAtLeast: 12,
  strategy: "attach" as const,
};

describe("the participants", () => {
  it.each(["switchover", "failover"] as const)("test_cast__%s__from_active_to_standby", (kind) =>
    expect(participantsOf(kind, link, null)).toMatchObject({ from: "Milan", to: "Frankfurt" }),
  );
  it("test_cast__failback__home", () =>
    expect(participantsOf("failback", swapped, null)).toMatchObject({
      from: "Frankfurt",
      to: "Milan",
    }));
  it("test_cast__failback_at_home__home_all_the_same", () =>
    expect(participantsOf("failback", link, null)).toMatchObject({
      from: "Frankfurt",
      to: "Milan",
    }));
  it("test_cast__reprotect__the_standby_returns", () =>
    expect(participantsOf("reprotect", swapped, null)).toMatchObject({
      from: "Milan",
      to: "Frankfurt",
    }));
  it("test_cast__relocate__its_node", () =>
    expect(participantsOf("relocate", link, "db-a1").node).toBe("db-a1"));
});

describe("the label of the confirming button", () => {
  it("test_act__switchover__says_where_to_and_what_is_fenced", () =>
    expect(confirmLabel({ ...act, kind: "switchover" })).toBe(
      "Switch over to Frankfurt, fence Milan",
    ));
  it("test_act__failover__says_the_loss", () =>
    expect(confirmLabel({ ...act, kind: "failover" })).toBe(
      "Fail over to Frankfurt, lose at least 12 transactions",
    ));
  it("test_loss__unknown__never_nothing", () => {
    expect(dataLossClause(null, null)).toBe("accept an unknown data loss");
    expect(dataLossClause(null, 0)).toBe("accept an unknown data loss");
    expect(dataLossClause(null, 20)).toBe("lose at least 20 transactions");
    expect(dataLossClause(0, 0)).toBe("no known data loss");
    expect(dataLossClause(1, 1)).toBe("lose at least 1 transaction");
  });
  it.each([
    ["fence", "Fence Milan"],
    ["attach", "Attach Milan as the standby"],
    ["replay", "Replay the orphaned transactions on Frankfurt, then attach Milan"],
    ["undo", "Undo the orphaned transactions on Milan, then attach it"],
    ["rebuild", "Rebuild Milan from Frankfurt, then attach it"],
  ] as const)("test_act__reprotect_by_%s__says_which", (strategy, words) =>
    expect(confirmLabel({ ...act, kind: "reprotect", strategy })).toBe(words),
  );
  it("test_act__names_not_known_yet__does_without", () =>
    expect(
      confirmLabel({
        ...act,
        kind: "failback",
        participants: { ...participants, from: null, to: null },
      }),
    ).toBe("Fail back"));
  it("test_kind__unknown_to_this_console__keeps_its_name", () => {
    expect(kindOf("teleport")).toBeNull();
    expect(operationLabel("teleport")).toBe("teleport");
    expect(operationTitle("teleport", participants)).toBe("teleport payments");
  });
});

describe("the sentences of the server", () => {
  it("test_remedy__plan_kind__named_as_on_the_pages", () => {
    expect(withOperationNames("Fence it again (plan kind fence_standby). Then plan.")).toBe(
      "Fence it again (operation “Fence of the standby side”). Then plan.",
    );
    expect(withOperationNames("Use plan kind `of_the_future`.")).toBe(
      "Use plan kind `of_the_future`.",
    );
  });
  it("test_start__several_channels__is_about_no_single_node", () => {
    const several = operationTitle("start_channel", participants);
    expect(several).toBe("Start the stopped channels · payments");
    expect(operationTitle("start_channel", { ...participants, node: "db-b1" })).toBe(
      "Start the channel on db-b1 · payments",
    );
  });
});
