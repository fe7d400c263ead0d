import { calm } from "@mock/seeds/links";
import { failedOver } from "@mock/seeds/site-links";
import { describe, expect, it } from "vitest";
import { NAVIGATION } from "@/app/navigation";
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
      "/links/$linkId/rehearsals",
      "/links/$linkId/settings",
    ]);
  });
  it("test_targets__a_cluster__its_page_before_its_nodes", () => {
    const { clusters } = calm();
    const [first] = paletteTargets([], [], [clusters.active, clusters.standby]);
    expect(first?.link).toEqual({ to: "/clusters/$clusterId", params: { clusterId: "c_milan" } });
  });
  it("test_targets__ids__unique", () => {
    const ids = paletteTargets(NAVIGATION, [calm(), failedOver()], []).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
