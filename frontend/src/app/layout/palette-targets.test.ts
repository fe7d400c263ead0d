import { broken, calm } from "@mock/seeds/links";
import { failedOver } from "@mock/seeds/site-links";
import { describe, expect, it } from "vitest";
import type { Link } from "@/api/types";
import { NAVIGATION } from "@/app/navigation";
import { actionTargets } from "./palette-actions";
import { idTarget, paletteTargets } from "./palette-targets";

describe("targets of the command palette", () => {
  it.each([
    ["r_1a2b", "/runs/$runId"],
    [" p_1a2b ", "/plans/$planId/plan"],
    ["l_orders", "/links/$linkId"],
  ])("test_id__%j__%s", (text, to) => expect(idTarget(text)?.link.to).toBe(to));
  it.each(["", "r_", "orders", "k_1", "r_1 r_2"])("test_id__%j__null", (text) =>
    expect(idTarget(text)).toBeNull(),
  );
  it("test_targets__a_link__its_pages_too", () => {
    const link = calm();
    const found = paletteTargets(NAVIGATION, [link], []).filter(({ label }) =>
      label.includes(link.name),
    );
    expect(found.map(({ link: { to } }) => to)).toEqual([
      "/links/$linkId",
      "/links/$linkId/orphans",
      "/links/$linkId/tables",
      "/links/$linkId/rehearsals",
      "/links/$linkId/advice",
      "/links/$linkId/settings",
    ]);
  });
  it("test_targets__a_cluster__its_page_before_its_nodes", () => {
    const { clusters } = calm();
    const [first] = paletteTargets([], [], [clusters.active, clusters.standby]);
    expect(first?.link).toEqual({ to: "/clusters/$clusterId", params: { clusterId: "c_milan" } });
  });
  it.each([
    ["viewer", ["read"], []],
    ["operator", ["read", "plan"], ["Relocate"]],
  ] as const)("test_actions__%s__only_what_the_role_allows", (_, permissions, first) => {
    const link = broken(14);
    const labels = actionTargets({ permissions: [...permissions] }, [link]).map(
      ({ label }) => label,
    );
    const operations = labels.filter((label) => label.includes(link.name));
    expect(operations.slice(0, 1)).toEqual(first.map((verb) => `${verb}: ${link.name}…`));
    expect(labels.includes("Register link…")).toBe(false);
  });
  it("test_actions__run_in_progress__no_operation", () => {
    const link = { ...calm(), active_run: { id: "r_1" } as Link["active_run"] };
    expect(actionTargets({ permissions: ["plan", "run"] }, [link]).map(({ id }) => id)).toEqual([
      "create token",
    ]);
  });
  it("test_targets__ids__unique", () => {
    const ids = paletteTargets(NAVIGATION, [calm(), failedOver()], []).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
