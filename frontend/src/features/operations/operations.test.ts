import { lost, milan } from "@mock/seeds/clusters";
import { makePlan } from "@mock/seeds/plans";
import { describe, expect, it } from "vitest";
import { candidatesOf, suggestNode } from "@/domain/node-eligibility";
import { unreachableNodes } from "@/features/operations/checks/attestations";
import {
  dataLossLabel,
  planAsSqlScript,
  planConfirmLabel,
} from "@/features/operations/plan/plan-script";
import { runtimeProofs } from "@/features/operations/proof/runtime-proofs";
import { alignAtResumePoint } from "@/features/operations/proof/TransactionComparison";
import { planState } from "@/features/operations/shared/PlanLayout";

const cluster = milan();
cluster.nodes = cluster.nodes.map((node) => (node.id === "n_a1" ? lost(node, 14) : node));
const candidates = candidatesOf(cluster, Date.now());

describe("the target", () => {
  it("test_candidates__lost_node__cannot_be_chosen_and_says_why", () => {
    expect(candidates.map((c) => c.ineligibleReason === null)).toEqual([false, true, true]);
    expect(candidates[0]?.ineligibleReason).toContain("unreachable");
  });
  it("test_suggested__holder_lost__first_that_is_well", () =>
    expect(suggestNode(candidates, undefined, "n_a1", "n_a1")).toBe("n_a2"));
  it("test_suggested__holder_well__stays", () =>
    expect(suggestNode(candidates, undefined, "n_a3", null)).toBe("n_a3"));
  it("test_suggested__holder_to_be_left__moves_off_it", () =>
    expect(suggestNode(candidates, undefined, "n_a2", "n_a2")).toBe("n_a3"));
  it("test_suggested__asked_for__kept", () =>
    expect(suggestNode(candidates, "n_a3", "n_a2", null)).toBe("n_a3"));
  it("test_suggested__nobody_fit__null", () =>
    expect(suggestNode([], undefined, null, null)).toBeNull());
});

describe("what is proven in the run", () => {
  const [step] = makePlan("p_1", "", {}).steps;
  const participants = { link: "payments", from: "milan", to: "frankfurt", node: null };
  const claims = (kind: string) =>
    runtimeProofs(
      kind,
      [
        { ...step!, code: "probe" },
        { ...step!, code: "verify" },
      ],
      participants,
    ).map(({ claim }) => claim);
  it("test_proofs__failover__claims_no_channel", () =>
    expect(claims("failover")).toEqual([
      "Every node of frankfurt takes part",
      "Nothing carries milan any more",
    ]));
  it("test_proofs__reprotect__claims_both_channels", () =>
    expect(claims("reprotect")[0]).toBe("Both channels carry"));
});

describe("the plan in words", () => {
  const plan = makePlan("p_1", "", { source_node: "n_a2", replica_node: "n_b1" });
  it("test_act__relocate__says_where_to", () =>
    expect(planConfirmLabel(plan, { link: "payments", from: null, to: null, node: null })).toBe(
      "Move both channels to db-a2 ⇄ db-b1",
    ));
  it("test_loss__unknown__never_nothing", () => {
    expect(
      dataLossLabel({ ...plan, loss: { transactions: null, seconds: null, detail: "" } }),
    ).toBe("Loss: not known");
    expect(dataLossLabel(plan)).toBe("Nothing is lost");
  });
  it("test_text__all_steps__one_semicolon_each_and_the_wall_marked", () => {
    const text = planAsSqlScript(plan);
    expect(text).toContain("-- POINT OF NO RETURN\n-- 3.");
    expect(text).not.toContain(";;");
    expect(text).toContain("STOP SLAVE;");
  });
  it("test_text__places_known_only_after_the_stop__each_mark_named_above_the_steps", () => {
    const [first, ...rest] = plan.steps;
    const sql = [
      "CHANGE MASTER TO MASTER_LOG_FILE='{{forward.file}}', MASTER_LOG_POS={{forward.offset}}",
    ];
    const [head] = planAsSqlScript({ ...plan, steps: [{ ...first!, sql }, ...rest] }).split(
      "-- 1.",
    );
    expect(head).toContain("-- {{forward.file}}, {{forward.offset}}: known only once");
    expect(planAsSqlScript(plan)).not.toContain("known only once");
  });
  it("test_state__past_its_time__expired_though_the_server_said_ready", () => {
    expect(planState(plan, Date.parse(plan.expires_at))).toBe("expired");
    expect(planState({ ...plan, state: "refused" }, Date.parse(plan.expires_at))).toBe("refused");
  });
});

describe("attestations", () => {
  it("test_unseen__refused_plan__names_each_node_once", () => {
    expect(unreachableNodes(makePlan("p_2", "", { source_node: "n_a3" }))).toEqual([
      { id: "n_a1", name: "db-a1" },
    ]);
  });
  it("test_unseen__attested__nothing_left_to_say", () => {
    expect(
      unreachableNodes(makePlan("p_3", "", { source_node: "n_a3", attest_fenced: ["n_a1"] })),
    ).toEqual([]);
  });
});

describe("alignGroups", () => {
  const groups = makePlan("p_4", "", {}).positions[0]!.receiver_groups;
  it("test_align__shorter_side__aligned_at_the_line", () => {
    const rows = alignAtResumePoint(groups.slice(-2), groups.slice(-3));
    expect(rows[0]![0]).toBeNull();
    expect(rows[2]![0]).toBe(groups.at(-1));
    expect(rows[2]![1]).toBe(groups.at(-1));
  });
});
