import { planElsewhere } from "./support/api";
import { demoFacts } from "./support/facts";
import { expect, test } from "./support/test";

test.beforeEach(async ({ signInAs }) => signInAs("viewer"));

test("test_viewer__link_page__reads_all_and_can_start_nothing", async ({ page }) => {
  await page.goto(`/links/${demoFacts().link_id}`);
  await expect(page.getByRole("heading", { name: "Topology" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Readiness" })).toBeVisible();
  await expect(page.getByRole("link", { name: /Relocate|Clean the/ })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /Relocate|Clean the/ })).toHaveCount(0);
});

test("test_viewer__sidebar__no_lab_and_no_lookup", async ({ page }) => {
  const sidebar = page.getByRole("navigation", { name: "Console" });
  await expect(sidebar.getByRole("link", { name: "Audit" })).toBeVisible();
  await expect(sidebar.getByRole("link", { name: "Lab" })).toHaveCount(0);
  await expect(sidebar.getByRole("link", { name: "Lookup" })).toHaveCount(0);
});

test("test_viewer__plan_of_another__can_be_read_not_confirmed", async ({ page }) => {
  const plan = await planElsewhere();
  await page.goto(`/plans/${plan.id}/plan`);
  await expect(page.getByRole("heading", { name: "Steps", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Go to confirmation" })).toHaveCount(0);
  await page.goto(`/plans/${plan.id}/confirm`);
  await expect(page.getByText("Your role can view plans but not run them.").first()).toBeVisible();
});

test("test_viewer__lab_by_address__nothing_to_break", async ({ page }) => {
  await page.goto("/lab");
  await expect(page.getByText("Your role cannot use the lab.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Kill/ })).toHaveCount(0);
});
