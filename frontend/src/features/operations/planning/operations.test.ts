// @vitest-environment jsdom
import "../../../../test-setup";
import { lost, milan } from "@mock/seeds/clusters";
import { makePlan } from "@mock/seeds/plans";
import { describe, expect, it } from "vitest";
import { candidatesOf, suggestNode } from "@/domain/node-eligibility";
import { plannedChanges } from "@/features/operations/planning/confirm/planned-changes";
import { planAsSqlScript, planConfirmLabel } from "@/features/operations/planning/plan/plan-script";
import { runtimeProofs } from "@/features/operations/planning/proof/RuntimeProofsTable";
import { alignAtResumePoint } from "@/features/operations/planning/proof/resume-point";
import { dataLossLabel } from "@/features/operations/planning/shared/data-loss";
import { planState } from "@/features/operations/planning/shared/plan-state";

const cluster = milan();
cluster.nodes = cluster.nodes.map((node) => (node.id === "n_a1" ? lost(node, 14) : node));
const candidates = candidatesOf(cluster);

describe("the target", () => {
  it("test_candidates__lost_node__cannot_be_chosen_and_says_why", () => {
    expect(candidates.map((c) => c.ineligibleReason === null)).toEqual([false, true, true]);
    expect(candidates[0]?.ineligibleReason).toBe("login refused");
  });
  it("test_suggested__holder_lost__first_eligible", () =>
    expect(suggestNode(candidates, undefined, "n_a1", "n_a1")).toBe("n_a2"));
  it("test_suggested__holder_eligible__stays", () =>
    expect(suggestNode(candidates, undefined, "n_a3", null)).toBe("n_a3"));
  it("test_suggested__holder_to_be_left__moves_off_it", () =>
    expect(suggestNode(candidates, undefined, "n_a2", "n_a2")).toBe("n_a3"));
  it("test_suggested__asked_for__kept", () =>
    expect(suggestNode(candidates, "n_a3", "n_a2", null)).toBe("n_a3"));
  it("test_suggested__none_eligible__null", () =>
    expect(suggestNode([], undefined, null, null)).toBeNull());
});

describe("the proofs during the run", () => {
  const [step] = makePlan("p_1", "", {}).steps;
  const proven = (claim: string, on_failure: "reverted" | "needs_operator") => ({
    ...step!,
    proof: { claim, method: "It is read.", on_failure },
  });
  it("test_proofs__claim_of_several_nodes__listed_once_with_its_first_step", () =>
    expect(
      runtimeProofs([
        { ...step!, proof: null },
        proven("fenced", "reverted"),
        proven("fenced", "reverted"),
        proven("writable", "needs_operator"),
      ]).map((proof) => [proof.step, proof.claim, proof.on_failure]),
    ).toEqual([
      [2, "fenced", "reverted"],
      [4, "writable", "needs_operator"],
    ]));
});

describe("the texts of a plan", () => {
  const plan = makePlan("p_1", "", { source_node: "n_a2", replica_node: "n_b1" });
  it("test_act__relocate__says_where_to", () =>
    expect(planConfirmLabel(plan, { link: "payments", from: null, to: null, node: null })).toBe(
      "Move both channels to db-a2 ⇄ db-b1",
    ));
  it("test_loss__unknown__never_nothing", () => {
    expect(
      dataLossLabel({ ...plan, loss: { ...plan.loss, transactions: null, at_least: null } }),
    ).toBe("Unknown data loss");
    expect(dataLossLabel(plan)).toBe("No data loss");
    const lost = { ...plan.loss, transactions: null, at_least: 20, is_exact: false };
    expect(dataLossLabel({ ...plan, loss: lost })).toBe("At least 20 transactions");
  });
  it("test_text__all_steps__one_semicolon_each_and_the_point_of_no_return_marked", () => {
    const text = planAsSqlScript(plan);
    expect(text).toContain("-- POINT OF NO RETURN\n-- 3.");
    expect(text).not.toContain(";;");
    expect(text).toContain("STOP SLAVE;");
  });
  it("test_text__positions_known_only_after_the_stop__named_above_the_steps", () => {
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

describe("plannedChanges", () => {
  const [step] = makePlan("p_5", "", {}).steps;
  const on = (node: string, kind: "reads" | "changes_channel", title = "stop it") => ({
    ...step!,
    node,
    title: `${node}: ${title}`,
    point_of_no_return: false,
    effect: { kind, sentence: "" },
  });
  it("test_changes__same_change_on_two_nodes__one_entry_without_the_reads", () => {
    const steps = [on("a1", "changes_channel"), on("a2", "changes_channel"), on("a1", "reads")];
    expect(
      plannedChanges({ ...makePlan("p_5", "", {}), steps }).map(({ nodes, title }) => [
        nodes,
        title,
      ]),
    ).toEqual([[["a1", "a2"], "Stop it"]]);
  });
});

describe("alignAtResumePoint", () => {
  const groups = makePlan("p_4", "", {}).positions[0]!.receiver_groups;
  it("test_align__shorter_side__aligned_at_the_end", () => {
    const rows = alignAtResumePoint(groups.slice(-2), groups.slice(-3));
    expect(rows[0]![0]).toBeNull();
    expect(rows[2]![0]).toBe(groups.at(-1));
    expect(rows[2]![1]).toBe(groups.at(-1));
  });
});
