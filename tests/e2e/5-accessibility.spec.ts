import { patient } from "../support/patience";
import { lastRun, planElsewhere, planSwitchover } from "./support/api";
import { grave } from "./support/axe";
import { demoFacts } from "./support/facts";
import { expect, test } from "./support/test";

/** Each page, with a text that says that it is there. */
async function pages(): Promise<[string, RegExp][]> {
  const link = `/links/${demoFacts().link_id}`;
  const [plan, run] = await Promise.all([planElsewhere(), lastRun()]);
  const switchover = await planSwitchover();
  const ofRun: [string, RegExp][] = run
    ? [
        [`/runs/${run.id}`, /Statements/],
        [`/runs/${run.id}/result`, /Durations/],
      ]
    : [];
  return [
    ["/links", /Failover now/],
    [link, /Lag and events/],
    [`${link}/relocate/situation`, /Current topology/],
    [`${link}/relocate/target`, /Preview/],
    [`${link}/relocate/checks?plan=${plan.id}`, /All checks/],
    [`/plans/${plan.id}/proof`, /Evidence/],
    [`/plans/${plan.id}/plan`, /Point of no return/],
    [`/plans/${plan.id}/confirm`, /Planned changes/],
    ...ofRun,
    [`${link}/switchover/situation`, /Current topology/],
    [`${link}/switchover/target`, /read_only=ON on every node, always/],
    [`${link}/failover/target`, /An unreachable node may still be running/],
    [`${link}/reprotect/target`, /Handling of orphaned transactions/],
    [`${link}/orphans`, /Orphaned transactions of/],
    [`${link}/rehearsals`, /A rehearsal is a dry run/],
    [`${link}/settings`, /Automatic relocate/],
    [`/plans/${switchover.id}/proof`, /Proofs during the run/],
    [`/plans/${switchover.id}/confirm`, /Planned changes/],
    ["/runs", /Requested by/],
    ["/waiting", /Unreviewed exceptions/],
    ["/audit", /Audit chain/],
    ["/clusters", /Last committed/],
    ["/lookup", /Find transaction/],
    ["/settings/users?person=anna", /Tokens of anna/],
    ["/lab", /Write load/],
  ];
}

/** The pages' own tests (tests/ui) look at every page in both; here the dark one is part of the whole form. */
const SCHEMES = process.env.HAWSER_WHOLE ? (["light", "dark"] as const) : (["light"] as const);

for (const scheme of SCHEMES) {
  test.describe(`in ${scheme}`, () => {
    test.use({ colorScheme: scheme });

    test(`test_axe__sign_in_${scheme}__nothing_grave`, async ({ page }) => {
      await page.goto("/sign-in");
      await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
      expect(await grave(page)).toEqual([]);
    });

    test(`test_axe__main_pages_${scheme}__nothing_grave`, async ({ page, signInAs }) => {
      test.setTimeout(patient(420_000));
      await signInAs("admin");
      const found: string[] = [];
      for (const [address, sign] of await pages()) {
        await page.goto(address);
        await expect(page.getByText(sign).first()).toBeVisible();
        found.push(...(await grave(page)));
      }
      expect(found).toEqual([]);
    });
  });
}

test("test_keyboard__link_page__skip_link_then_action", async ({ page, signInAs }) => {
  await signInAs("operator");
  await page.goto(`/links/${demoFacts().link_id}`);
  await expect(page.getByRole("heading", { name: "Topology" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});
