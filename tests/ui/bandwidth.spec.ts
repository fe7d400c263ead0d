/** Segments of a cluster, the bytes between its nodes, and the capacity of its line. */
import { expect, test } from "@playwright/test";
import { open } from "./support/open";

test("test_bandwidth__capacity_and_counters__refused_at_their_fields_and_then_shown", async ({
  page,
}) => {
  await open(page, "/clusters/c_milan/bandwidth");
  await expect(page.getByText("Unknown. The capacity of the line is not entered.")).toBeVisible();
  await page.getByLabel("Capacity, Mbit/s").fill("0");
  await page.getByRole("button", { name: "Store capacity" }).click();
  await expect(page.getByText(/^Give mbit_per_s as a number/)).toBeVisible();
  await page.getByLabel("Capacity, Mbit/s").fill("2");
  await page.getByRole("button", { name: "Store capacity" }).click();
  await expect(page.getByText(/^About 42 days\./)).toBeVisible();
  await page.getByText("Counted on a lab", { exact: true }).click();
  await page.getByLabel("Report of the lab's router").fill('{"pairs": [');
  await page.getByRole("button", { name: "Store counters" }).click();
  await expect(page.getByText(/^This is no whole JSON/)).toBeVisible();
  await page.getByLabel("Report of the lab's router").fill('{"seconds": 61.4, "pairs": []}');
  await page.getByRole("button", { name: "Store counters" }).click();
  const counted = page.getByRole("table", { name: "Counted bytes by pair of nodes" });
  await expect(counted.getByText("58 kB/s")).toBeVisible();
});
