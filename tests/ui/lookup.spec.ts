/** The lookup of a transaction: the form fills the address, the address fills the form, rows are read on demand. */
import { expect, test } from "@playwright/test";
import { open } from "./support/open";
import { CONTROLS as C } from "./texts";

test("test_lookup__position_typed__asks_for_its_node_and_shows_each_node", async ({ page }) => {
  await open(page, "/lookup?link=l_payments");
  await page.getByLabel(C.whatIsKnown).fill("mariadb-bin.000211 : 884,120,377");
  await expect(page.getByLabel(C.nodeOfLog)).toBeVisible();
  await page.getByRole("button", { name: C.findTransaction }).click();
  await expect(page).toHaveURL(/file=mariadb-bin\.000211/);
  await expect(page.getByRole("row", { name: /db-b1/ }).first()).toContainText("97113020");
  const rows = page.waitForRequest(/lookup\/rows\?.*position=884120377/);
  await page.getByRole("button", { name: C.showRows }).click();
  await rows;
  await expect(page.getByText("25.00").last()).toBeVisible();
});

test("test_lookup__limit_reached__continues_and_a_viewer_is_told", async ({ page }) => {
  await open(page, "/lookup?link=l_payments&table=shop.orders");
  await expect(page.getByLabel(C.whatIsKnown)).toHaveValue("shop.orders");
  await page.getByRole("button", { name: C.continueSearch }).click();
  await expect(page.getByRole("heading", { name: /^6 transactions/ })).toBeVisible();
  await open(page, "/lookup?link=l_payments&table=shop.orders", { role: "viewer" });
  await expect(page.getByText(/Your role cannot look up transactions/)).toBeVisible();
});
