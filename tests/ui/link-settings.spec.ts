/** Changes of a registered link: its names and sides, its maintenance, its end. */
import { expect, test } from "@playwright/test";
import { violations } from "./support/axe";
import { expectSaved, openForm, send } from "./support/change";
import { open } from "./support/open";
import { CONTROLS as C } from "./texts";

const ORDERS = "/links/l_orders/settings";
const RETIRED = "/links/l_retired";

test("test_link__renamed__shown", async ({ page }) => {
  await open(page, ORDERS);
  const form = await openForm(page, C.renameLink);
  await form.getByLabel("Name").fill("orders-2");
  await send(form, "CHG-1");
  await expectSaved(page, "The link is named orders-2.");
  await expect(page.getByRole("heading", { level: 1, name: "Settings of orders-2" })).toBeVisible();
});

test("test_link__home_side_changed__shown", async ({ page }) => {
  await open(page, ORDERS);
  const form = await openForm(page, C.homeSide);
  await form.getByRole("combobox", { name: "Home side" }).click();
  await page.getByRole("option", { name: /frankfurt/ }).click();
  await send(form, "CHG-1");
  await expectSaved(page, "Home side saved.");
  const panel = page.getByRole("region", { name: "Link", exact: true });
  await expect(panel.getByText("frankfurt", { exact: true })).toHaveCount(2);
});

test("test_names__swapped__both_changed", async ({ page }) => {
  await open(page, ORDERS);
  const form = await openForm(page, C.swapNames);
  await form.getByRole("combobox", { name: "Other link" }).click();
  await page.getByRole("option", { name: "billing" }).click();
  await expect(form.getByText(/^orders becomes billing, and billing becomes orders/)).toBeVisible();
  await send(form, "CHG-1");
  await expectSaved(page, "The names are swapped.");
  await expect(page.getByRole("heading", { level: 1, name: "Settings of billing" })).toBeVisible();
});

test("test_rule__required__with_a_reason", async ({ page }) => {
  await open(page, ORDERS);
  await send(await openForm(page, C.requireApproval), "CHG-1");
  await expectSaved(page, "Approval is required.");
  await expect(page.getByRole("button", { name: /^Stop requiring approval/ })).toBeVisible();
});

test("test_maintenance__begun_by_an_operator__on_every_page_until_it_is_ended", async ({
  page,
}) => {
  await open(page, ORDERS, { role: "operator" });
  const form = await openForm(page, C.beginMaintenance);
  const end = form.getByLabel(/^End/);
  const first = await end.inputValue();
  await form.getByRole("button", { name: "8 h" }).click();
  expect((await end.inputValue()) > first).toBe(true);
  expect(await violations(page)).toEqual([]);
  await send(form, "CHG-2291 switches");
  await expectSaved(page, "orders is in maintenance.");
  for (const tab of ["Overview", "Orphans", "Rehearsals", "Settings"]) {
    const tabs = page.getByRole("navigation", { name: "Pages of orders" });
    await tabs.getByRole("link", { name: tab }).click();
    await expect(page.getByText("By olaf: CHG-2291 switches.", { exact: false })).toBeVisible();
  }
  await send(await openForm(page, C.endMaintenance), "done early");
  await expectSaved(page, "The maintenance of orders has ended.");
  await expect(page.getByText(/^Maintenance until/)).toHaveCount(0);
});

test("test_maintenance__no_end__asked_for", async ({ page }) => {
  await open(page, ORDERS);
  const form = await openForm(page, C.beginMaintenance);
  await form.getByLabel("Reason").fill("CHG-1");
  await form.getByLabel(/^End/).fill("");
  await expect(form.locator('button[type="submit"]')).toBeDisabled();
  await expect(form.getByText("Enter the end of the maintenance.").first()).toBeVisible();
});

test("test_retire__name_typed__page_without_actions_and_not_in_the_list", async ({ page }) => {
  await open(page, ORDERS);
  const form = await openForm(page, C.retireLink);
  await expect(form.getByText(/channels stay on the servers/)).toBeVisible();
  await form.getByLabel(/^Type the link's name/).fill("orders");
  expect(await violations(page)).toEqual([]);
  await send(form, "replaced by a new link");
  await expectSaved(page, "Link orders retired.");
  await expect(page.getByText(/^orders is retired since/)).toBeVisible();
  await page.getByRole("navigation").getByRole("link", { name: "Links" }).last().click();
  await expect(page.getByRole("link", { name: /^Link payments/ })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Link orders/ })).toHaveCount(0);
});

test("test_retire__approval_required__waits_for_a_second_administrator", async ({ page }) => {
  await open(page, "/links/l_ledger/settings");
  const form = await openForm(page, C.retireLink);
  await form.getByLabel(/^Type the link's name/).fill("ledger");
  await send(form, "replaced");
  await expectSaved(page, "The request to retire ledger is saved.");
  const retirement = page.getByRole("region", { name: "Retirement" });
  await expect(retirement.getByText(/^Pending change: .* ledger is retired/)).toBeVisible();
  const approval = page.getByRole("region", { name: "Approval" });
  await expect(approval.getByText(/is retired/)).toHaveCount(0);
});

test("test_retired__its_pages__records_and_no_action", async ({ page }) => {
  for (const path of [
    RETIRED,
    `${RETIRED}/orphans`,
    `${RETIRED}/rehearsals`,
    `${RETIRED}/settings`,
  ]) {
    await open(page, path);
    await expect(page.getByText(/^payroll is retired since/)).toBeVisible();
    await expect(
      page.getByRole("main").getByRole("button", { name: /…|Rehearse|Scan/ }),
    ).toHaveCount(0);
  }
  await open(page, RETIRED);
  await expect(page.getByRole("list", { name: "Time line" })).toBeVisible();
  await page.getByRole("link", { name: "Runs of payroll" }).click();
  await expect(page).toHaveURL(/runs\?link=l_retired/);
});

test("test_retired__from_the_list_of_links__opened", async ({ page }) => {
  await open(page, "/links");
  await page.getByRole("button", { name: "Show retired links" }).click();
  await page
    .getByRole("region", { name: "Retired links" })
    .getByRole("link", { name: "payroll" })
    .click();
  await expect(page.getByText(/^payroll is retired since/)).toBeVisible();
});

test("test_retirement__replication_should_end__leads_to_the_removal_of_channels", async ({
  page,
}) => {
  await open(page, ORDERS);
  await page.getByRole("link", { name: "Remove all channels…" }).click();
  await expect(page).toHaveURL(/l_orders\/remove_channels\/situation/);
});
