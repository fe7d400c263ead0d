/** What a user does before anything else: replace an initial password, agree to what is kept of persons. */
import { expect, test } from "@playwright/test";
import { violations } from "./support/axe";
import { headingOf, open } from "./support/open";
import { HEADINGS as H } from "./texts";

test("test_first_steps__initial_password_and_notice__done_before_any_page_opens", async ({
  page,
}) => {
  await open(page, "/runs", { scenario: "first-steps" });
  await expect(headingOf(page, H.firstSteps)).toBeVisible();
  expect(await violations(page)).toEqual([]);
  const chosen = "seven wet horses walk";
  await page.getByRole("textbox", { name: "Current password" }).fill("of the administrator");
  await page.getByRole("textbox", { name: "New password", exact: true }).fill(chosen);
  await page.getByRole("textbox", { name: "Repeat new password" }).fill(chosen);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("button", { name: "Change password" })).toHaveCount(0);
  await page.getByRole("button", { name: "Agree and continue" }).click();
  await expect(headingOf(page, H.links)).toBeVisible();
});
