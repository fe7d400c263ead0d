/** The lag of a link: brush, keyboard, markers, table and file. */
import { expect, type Page, test } from "@playwright/test";
import { violations } from "./support/axe";
import { open } from "./support/open";
import { LAG as L } from "./texts";

const PAYMENTS = "/links/l_payments";

/** Drags over the plot as a person does: once it stands still where it is seen. */
async function brush(page: Page, from: number, to: number): Promise<void> {
  const plot = page.locator(".u-over");
  await plot.hover();
  const box = await plot.boundingBox();
  if (!box) throw new Error("the plot has no place on the page");
  const at = (share: number) => ({ x: box.width * share, y: box.height / 2 });
  await plot.hover({ position: at(from) });
  await page.mouse.down();
  await plot.hover({ position: at((from + to) / 2) });
  await plot.hover({ position: at(to) });
  await page.mouse.up();
}

test("test_lag__brushed_and_reset__is_in_the_address_and_goes_back", async ({ page }) => {
  await open(page, `${PAYMENTS}?minutes=1440`);
  await expect(page.getByRole("slider", { name: L.chart })).toBeVisible();
  await brush(page, 0.25, 0.5);
  await expect(page).toHaveURL(/minutes=1440&from=.+&to=/);
  const part = new URL(page.url()).searchParams;
  const hours = (Date.parse(part.get("to") ?? "") - Date.parse(part.get("from") ?? "")) / 3_600_000;
  expect(hours).toBeGreaterThan(5.8);
  expect(hours).toBeLessThan(6.2);
  await page.reload();
  await expect(page.getByRole("link", { name: L.csv })).toHaveAttribute("href", /export\?from=/);
  await page.getByRole("button", { name: L.reset }).click();
  await expect(page).toHaveURL(/\?minutes=1440$/);
});

test("test_lag__by_keyboard__values_zoom_and_events_are_read_out", async ({ page }) => {
  await open(page, PAYMENTS, { scenario: "node-lost" });
  const chart = page.getByRole("slider", { name: L.chart });
  await chart.focus();
  await page.keyboard.press("Home");
  await expect(chart).toHaveAttribute("aria-valuetext", /Protected|Degraded/);
  await page.keyboard.press("+");
  await expect(page).toHaveURL(/from=/);
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/from=/);
  await page.getByRole("button", { name: L.marker }).focus();
  await expect(page.getByText(L.more)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row", { name: /connection refused/ })).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test("test_lag__as_a_table__same_values_and_where_data_begins", async ({ page }) => {
  await open(page, `${PAYMENTS}?minutes=60&view=table`, { scenario: "calm" });
  await expect(page.getByRole("row", { name: /no samples/ }).first()).toBeVisible();
  await open(page, `${PAYMENTS}?minutes=129600&view=table`, { scenario: "calm" });
  await expect(page.getByText(L.begins)).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test("test_apply_capacity__replica_falls_behind__rates_backlog_and_why", async ({ page }) => {
  await open(page, PAYMENTS, { scenario: "untried" });
  const panel = page.getByRole("region", { name: L.capacity });
  const forward = panel.getByRole("listitem").filter({ hasText: "db-a1 → db-b1" });
  await expect(forward).toContainText(L.fallsBehind);
  await expect(forward).toContainText("86/s");
  await expect(forward).toContainText("12,400");
  await expect(forward).toContainText(L.drainUnknown);
  expect(await violations(page)).toEqual([]);
});

test("test_apply_capacity__channel_does_not_replicate__unknown_and_not_green", async ({ page }) => {
  await open(page, PAYMENTS, { scenario: "site-lost" });
  const panel = page.getByRole("region", { name: L.capacity });
  await expect(panel.getByText(L.notReplicating)).toHaveCount(2);
  await expect(panel.getByText(L.keepsUp, { exact: true })).toHaveCount(0);
});
