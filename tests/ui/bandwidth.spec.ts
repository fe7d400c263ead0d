/** Segments of a cluster, the bytes between its nodes, and the capacity of its line. */
import { expect, test } from "@playwright/test";
import { open } from "./support/open";

test("test_bandwidth__capacity__refused_at_its_field_and_then_shown", async ({ page }) => {
  await open(page, "/clusters/c_milan/bandwidth");
  await expect(page.getByText("Unknown. The capacity of the line is not entered.")).toBeVisible();
  await page.getByLabel("Capacity, Mbit/s").fill("0");
  await page.getByRole("button", { name: "Store capacity" }).click();
  await expect(page.getByText(/^Give mbit_per_s as a number/)).toBeVisible();
  await page.getByLabel("Capacity, Mbit/s").fill("2");
  await page.getByRole("button", { name: "Store capacity" }).click();
  await expect(page.getByText(/^About 42 days\./)).toBeVisible();
});
