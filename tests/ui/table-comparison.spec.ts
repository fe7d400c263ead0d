/** Comparisons of tables: begun, paused and stopped; what they found, for those who may see it; the schedule. */
import { expect, test } from "@playwright/test";
import { open } from "./support/open";
import { TABLES as T } from "./texts";

test("test_comparison__begun_paused_and_stopped__says_how_far_it_is", async ({ page }) => {
  await open(page, "/links/l_orders/tables", { role: "operator" });
  await expect(page.getByText(T.nothingWritten).first()).toBeVisible();
  await page.getByLabel(T.every).first().uncheck();
  await page.getByLabel(T.only).first().fill("shop\ncrm.people");
  const begun = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: T.start }).click();
  expect((await begun).postDataJSON()).toEqual({
    every_node: false,
    only: ["shop", "crm.people"],
    rows_per_s: 20_000,
    busy_percent: 20,
  });
  await expect(page.getByRole("progressbar", { name: T.progress })).toBeVisible();
  await expect(page.getByText("1,200 of about 48,000 rows, about 39 s left")).toBeVisible();
  await expect(page.getByRole("button", { name: T.start })).toHaveCount(0);
  await page.getByRole("button", { name: T.pause }).click();
  await expect(page.getByText(T.paused)).toBeVisible();
  await page.getByRole("button", { name: T.resume }).click();
  await page.getByRole("button", { name: T.stop }).click();
  await page.getByRole("button", { name: T.stopForGood }).click();
  await expect(page.getByText(T.stopped, { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: T.start })).toBeVisible();
});

test("test_comparison__rows_differ__values_side_by_side_and_statements_for_each_node", async ({
  page,
}) => {
  await open(page, "/links/l_payments/tables", { role: "operator" });
  await page.getByRole("link", { name: T.view }).click();
  await expect(page).toHaveURL(/tables\/j_running/);
  await open(page, "/links/l_payments/tables/j_different", { role: "operator" });
  await page.getByRole("button", { name: T.values }).click();
  const values = page.getByRole("group", { name: "Row of shop.orders on db-a2 and db-b1" });
  await expect(values.getByRole("row", { name: /amount/ })).toContainText(/20\.00.*≠.*25\.00/);
  await page.getByRole("button", { name: T.whatChanged }).click();
  const changes = page.getByRole("table", { name: T.changes });
  await expect(changes.getByRole("row", { name: /db-a2/ })).toContainText(/as logged.*by db-a1/);
  await expect(changes.getByRole("row", { name: /db-b1/ })).toContainText("not as logged");
  await expect(page.getByText(T.looks)).toBeVisible();
  const href = /differences\/export\?format=sql&node=n_b1$/;
  await expect(page.getByRole("link", { name: T.statements })).toHaveAttribute("href", href);
  await expect(page.getByRole("link", { name: T.jsonLines })).toBeVisible();
  await page.getByRole("combobox", { name: T.state }).click();
  await page.getByRole("option", { name: T.notCompared }).click();
  await expect(page).toHaveURL(/state=not_compared/);
  await expect(page.getByRole("row", { name: /shop\.access_log/ })).toContainText("Aria");
  await expect(page.getByRole("row", { name: /crm\.part_00/ })).toHaveCount(0);
});

test("test_comparison__viewer__no_values_no_export_no_start", async ({ page }) => {
  await open(page, "/links/l_payments/tables/j_different", { role: "viewer" });
  await expect(page.getByText(T.whoMay)).toBeVisible();
  await expect(page.getByText("88213")).toHaveCount(0);
  await expect(page.getByRole("link", { name: T.jsonLines })).toHaveCount(0);
  await open(page, "/links/l_orders/tables", { role: "viewer" });
  await expect(page.getByText(T.notYours)).toBeVisible();
  await expect(page.getByText(T.notYourSchedule)).toBeVisible();
});

test("test_schedule__administrator__saves_all_of_it", async ({ page }) => {
  await open(page, "/links/l_orders/tables");
  await page.getByLabel(T.hours).fill("24");
  const saved = page.waitForRequest((request) => request.method() === "PUT");
  await page.getByRole("button", { name: T.saveSchedule }).click();
  expect((await saved).postDataJSON()).toEqual({
    enabled: true,
    every_hours: 24,
    every_node: true,
    only: [],
    rows_per_s: 20_000,
    busy_percent: 20,
  });
  await expect(page.getByText(T.saved)).toBeVisible();
});
