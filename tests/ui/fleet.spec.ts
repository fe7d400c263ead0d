/** The list of many links: few rows in the document, keys, filter and views in the address, actions on several. */
import { expect, type Page, test } from "@playwright/test";
import { open } from "./support/open";
import { FLEET as F } from "./texts";

/** Rows near the screen, and some beyond it: of 500 links and of 50 the same number. */
const MOST_ROWS = 45;

const rows = (page: Page) => page.locator("[data-row]");
const named = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });

test("test_fleet__500_links__few_rows_keys_and_a_filter_in_the_address", async ({ page }) => {
  await open(page, "/links", { scenario: "five-hundred-links" });
  await expect(rows(page).first()).toBeVisible();
  expect(await rows(page).count()).toBeLessThan(MOST_ROWS);
  await expect(page.getByRole("grid")).toHaveAttribute("aria-rowcount", "503");
  await page.keyboard.press("j");
  await page.keyboard.press("End");
  await expect(named(page, "stock-500")).toBeFocused();
  expect(await rows(page).count()).toBeLessThan(MOST_ROWS);
  await page.keyboard.press("/");
  await page.keyboard.type("payments-001");
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/q=payments-001/);
  await rows(page).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/links\/l_many1$/);
});

test("test_fleet__view_in_the_address__saved_and_opened_again", async ({ page }) => {
  await open(page, "/links?group=none&sort=name&desc=true", { scenario: "twelve-links" });
  await expect(rows(page).first()).toContainText("stock-012");
  await page.getByRole("button", { name: F.views }).click();
  await page.getByRole("menuitem", { name: F.manageViews }).click();
  await page.getByLabel("Name").fill("Backwards");
  await page.getByRole("button", { name: F.saveView }).click();
  await page.goto("/links");
  await expect(rows(page).first()).not.toContainText("stock-012");
  await page.getByRole("button", { name: F.views }).click();
  await page.getByRole("menuitem", { name: "Backwards" }).click();
  await expect(page).toHaveURL(/desc=true/);
  await expect(rows(page).first()).toContainText("stock-012");
});

test("test_fleet__several_selected__maintenance_of_each_and_a_viewer_is_told", async ({ page }) => {
  await open(page, "/links?view=table&group=none&sort=name", { scenario: "twelve-links" });
  await expect(rows(page).first()).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("Space");
  const bar = page.getByRole("region", { name: F.selected });
  await expect(bar).toContainText(F.count);
  await bar.getByRole("button", { name: F.begin }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(F.reason).fill("CHG-1");
  await dialog.getByRole("button", { name: F.beginTwo }).click();
  await expect(dialog.getByText(F.allDone)).toBeVisible();
  await expect(dialog.getByRole("row", { name: /in maintenance/ })).toHaveCount(2);

  await open(page, "/links?view=table", { scenario: "twelve-links", role: "viewer" });
  await page.getByLabel(F.selectAll).check();
  await expect(page.getByRole("button", { name: F.begin })).toContainText(F.onlyOperators);
});
