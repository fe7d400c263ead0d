/** An operation on one page, and the tour that leads through the demo. */
import { expect, test } from "@playwright/test";
import { violations } from "./support/axe";
import { headingOf, open } from "./support/open";
import { CONTROLS as C, HEADINGS as H } from "./texts";

test("test_one_page__from_situation_to_result__on_one_address", async ({ page }) => {
  await open(page, "/links/l_payments/relocate/situation", { scenario: "node-lost" });
  await page.getByText("One page", { exact: true }).click();
  await expect(page).toHaveURL(/\/links\/l_payments\/relocate\/all#situation$/);
  await page.getByRole("button", { name: C.check }).click();
  await expect(page).toHaveURL(/\/plans\/[^/]+\/all#checks$/);
  await expect(page.getByRole("heading", { level: 2, name: "Checks" })).toBeFocused();
  const summary = page.getByRole("region", { name: "Summary" });
  await expect(summary.getByText("No data loss")).toBeInViewport();

  await page.getByLabel(C.reason).last().fill("INC-4211");
  const start = page.getByRole("button", { name: C.start });
  await expect(start).toHaveAttribute("aria-disabled", "true");
  await page.getByLabel(C.confirmation).fill("payments");
  await start.click();
  await expect(page.getByRole("heading", { level: 2, name: "Run" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "Result" })).toBeVisible();
  await expect(page).toHaveURL(/\/all#run$/);
});

test("test_one_page__chosen__address_of_a_step_leads_to_its_section_until_changed", async ({
  page,
}) => {
  await open(page, "/plans/p_ready/proof");
  const saved = page.waitForResponse(/account\/preferences/);
  await page.getByText("One page", { exact: true }).click();
  await saved;
  await expect(page).toHaveURL(/\/plans\/p_ready\/all#proof$/);
  await page.goto("/plans/p_ready/plan");
  await expect(page).toHaveURL(/\/plans\/p_ready\/all#plan$/);
  const plan = page.getByRole("heading", { level: 2, name: "Plan" });
  await expect(plan).toBeFocused();
  await expect(plan).toBeInViewport();
  const savedAgain = page.waitForResponse(/account\/preferences/);
  await page.getByText("Step by step").click();
  await expect(page).toHaveURL(/\/plans\/p_ready\/plan$/);
  await savedAgain;
  await page.reload();
  await expect(headingOf(page, H.relocate)).toBeVisible();
  await expect(page).toHaveURL(/\/plans\/p_ready\/plan$/);
});

test("test_tour__taken_and_skipped__follows_the_pages_and_does_not_return", async ({ page }) => {
  await open(page, "/lab", { scenario: "calm" });
  await page.getByRole("button", { name: "Take the tour" }).click();
  const tour = page.getByRole("complementary", { name: "Tour of the demo" });
  await tour.getByRole("link", { name: "Show the link" }).click();
  await expect(headingOf(page, H.link)).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await expect(tour).toContainText("1 of 6: The link");
  await tour.getByRole("button", { name: "Next" }).focus();
  await page.keyboard.press("Enter");
  await expect(tour).toContainText("2 of 6: Lose a node");
  await tour.getByRole("button", { name: "Skip the tour" }).click();
  await expect(tour).toHaveCount(0);
  await page.reload();
  await expect(headingOf(page, H.link)).toBeVisible();
  await expect(tour).toHaveCount(0);
});

test("test_one_page__printed__nothing_to_press_nothing_folded_and_light", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page, "/plans/p_ready/all");
  await expect(page.getByRole("heading", { level: 2, name: "Confirm" })).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 703, height: 1000 });
  await expect(page.getByText("reverse: proven").last()).toBeVisible();
  const left = await page.evaluate(() =>
    Array.from(document.querySelectorAll("button, nav, input, [role=switch]"))
      .filter((element) => element.checkVisibility() && element.clientWidth > 1)
      // Terms, and the number of the checks that passed, are text there.
      .filter((element) => !element.matches("[aria-describedby], [aria-expanded]"))
      .map((element) => element.outerHTML.slice(0, 120)),
  );
  expect(left).toEqual([]);
  await expect(page.getByText("Check 19 agrees.")).toBeVisible();
  await expect(page.getByRole("region", { name: /^the undo of step/ }).first()).toBeVisible();
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(255, 255, 255)");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(703);
});
