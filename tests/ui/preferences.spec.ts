/** What a user sets for the own pages, and the palette that leads everywhere. */
import { expect, test } from "@playwright/test";
import { headingOf, open } from "./support/open";
import { CONTROLS as C, HEADINGS as H } from "./texts";

test("test_preferences__zone_clock_and_colours__hold_on_every_page_and_after_a_reload", async ({
  page,
}) => {
  await open(page, "/settings/display", { role: "viewer" });
  await page.getByRole("combobox", { name: C.timeZone }).fill("Kolkata");
  await page.getByRole("option", { name: "Asia/Kolkata", exact: true }).click();
  const clock = page.getByRole("button", { name: /^Server time/ });
  await expect(clock).toHaveText(/UTC\+5:30$/);
  await page.getByText("12 hours").click();
  await page.getByText("Dark", { exact: true }).click();
  await page.getByText("Compact").click();
  await expect(clock).toHaveText(/[AP]M/);
  await page.goto("/runs");
  await expect(clock).toHaveText(/[AP]M .*UTC\+5:30$/);
  const root = page.locator("html");
  await expect(root).toHaveAttribute("data-mantine-color-scheme", "dark");
  await expect(root).toHaveAttribute("data-density", "compact");
  await clock.click();
  await expect(clock).toHaveText(/[AP]M UTC$/);
});

test("test_old_address__of_a_user__leads_to_the_page_of_users", async ({ page }) => {
  await open(page, "/account?person=anna");
  await expect(headingOf(page, H.users)).toBeVisible();
  await expect(page).toHaveURL(/\/settings\/users\?person=anna$/);
});

test("test_palette__operation_of_a_link__opens_its_first_page", async ({ page }) => {
  await open(page, "/audit", { role: "operator", scenario: "node-lost" });
  await expect(headingOf(page, H.audit)).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Go to" }).fill("relocate: payments");
  await page
    .getByRole("option")
    .or(page.getByRole("button", { name: /^Relocate: pay/ }))
    .first()
    .click();
  await expect(headingOf(page, H.relocate)).toBeVisible();
  await expect(page).toHaveURL(/relocate\/situation$/);
});
