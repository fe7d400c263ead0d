/** The tour of the demo as a new user takes it: the pages it leads to, in under three minutes. */
import type { Page } from "@playwright/test";
import { patient } from "../support/patience";
import { linkFacts, standingPair } from "./support/api";
import { expect, test } from "./support/test";
import { checksPassed } from "./support/walk";

const LIMIT_MS = 180_000;

const tourOf = (page: Page) => page.getByRole("complementary", { name: "Tour of the demo" });

/** From the situation to a checked plan. */
async function relocate(page: Page): Promise<void> {
  await tourOf(page).getByRole("link", { name: "Start the relocate" }).click();
  await page.getByRole("link", { name: "Choose new nodes" }).click();
  await page.getByRole("button", { name: /^Check db-/ }).click();
  await checksPassed(page);
}

async function run(page: Page): Promise<void> {
  await page.getByRole("link", { name: "View proof" }).click();
  await expect(page.getByText(/▼ resume position/).first()).toBeVisible();
  await page.getByRole("link", { name: "View plan" }).click();
  await page.getByRole("link", { name: "Go to confirmation" }).click();
  await page.getByLabel("Reason or ticket").fill("The tour of the demo");
  await page.getByLabel(/^Type the link's name/).fill((await linkFacts()).name);
  await page.getByRole("button", { name: /^Move both channels to/ }).click();
}

test("test_tour__taken__from_the_picture_to_the_history_in_three_minutes", async ({
  page,
  signInAs,
}) => {
  await signInAs("operator");
  const tour = tourOf(page);
  const { source_name: lost } = await standingPair();
  const startedAt = Date.now();
  await tour.getByRole("button", { name: "Take the tour" }).click();
  await tour.getByRole("link", { name: "Show the link" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText((await linkFacts()).name);
  await tour.getByRole("button", { name: "Next" }).click();
  await tour.getByRole("link", { name: "Go to the lab" }).click();
  await page.getByRole("button", { name: `Kill ${lost}` }).click();

  await expect(tour).toContainText("3 of 6: Relocate the link");
  await relocate(page);
  await expect(tour).toContainText("4 of 6");
  await run(page);
  await expect(tour).toContainText("5 of 6");
  await page.getByRole("link", { name: "View result" }).click({ timeout: patient(90_000) });
  await expect(page.getByText("Verified", { exact: true })).toBeVisible();

  await page.reload();
  await expect(tour).toContainText("5 of 6: See the result");
  await tour.getByRole("button", { name: "Next" }).click();
  await tour.getByRole("link", { name: "Show the history" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "History" })).toBeVisible();
  await tour.getByRole("button", { name: "End the tour" }).click();
  const tookMs = Date.now() - startedAt;
  test.info().annotations.push({ type: "seconds", description: (tookMs / 1000).toFixed(1) });
  expect(tookMs).toBeLessThan(LIMIT_MS);

  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(tour).toHaveCount(0);
});
