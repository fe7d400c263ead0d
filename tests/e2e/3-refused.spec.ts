import { linkFacts, planElsewhere, standingPair } from "./support/api";
import { expect, test } from "./support/test";

test.beforeEach(async ({ signInAs }) => signInAs("operator"));

test("test_plan__pair_that_stands_already__refused_with_reason_and_remedy", async ({ page }) => {
  const [link, pair] = await Promise.all([linkFacts(), standingPair()]);
  const options = `source_node=${pair.source_node}&replica_node=${pair.replica_node}`;
  await page.goto(`/links/${link.id}/relocate/target?${options}`);
  await expect(page.getByRole("radio", { name: pair.source_name })).toBeChecked();
  await page
    .getByRole("button", { name: `Check ${pair.source_name} ⇄ ${pair.replica_name}` })
    .click();
  await expect(page.getByText(/^Plan refused: /)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Blockers" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Check again" })).toBeVisible();
  await expect(page).toHaveURL(/plan=p_/);
});

test("test_confirm__wrong_name__refused_and_nothing_started", async ({ page }) => {
  const plan = await planElsewhere();
  expect(plan.state).toBe("ready");
  await page.goto(`/plans/${plan.id}/confirm`);
  const act = page.getByRole("button", { name: /^Move both channels to/ });
  await expect(act).toHaveAttribute("aria-disabled", "true");
  await page.getByLabel("Reason or ticket").fill("a test");
  await page.getByLabel(/^Type the link's name/).fill("paymentz");
  await act.click();
  await expect(page.getByText(/link's name exactly/).first()).toBeVisible();
  await expect(page).toHaveURL(/confirm/);
});

test("test_plan__unknown_id__says_so_with_a_request_id", async ({ page }) => {
  await page.goto("/plans/p_aaaaaaaaaaaa/plan");
  await expect(page.getByRole("alert").first()).toContainText("Could not load the plan");
  await expect(page.getByRole("alert").first()).toContainText("request ID");
});
