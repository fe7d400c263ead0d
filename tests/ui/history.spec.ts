/** The history, the time line of a link, and the verification of the audit chain. */
import { expect, test } from "@playwright/test";
import { headingOf, open } from "./support/open";
import { CONTROLS, HEADINGS } from "./texts";

test("test_history__a_filter__is_in_the_address_and_leads_to_an_entry", async ({ page }) => {
  await open(page, "/history");
  await page.getByRole("textbox", { name: "Search" }).fill("failed ledger over");
  await page.getByRole("button", { name: CONTROLS.applyFilter }).click();
  await expect(page).toHaveURL(/q=failed/);
  const entry = page.getByRole("link", { name: /failed ledger over from milan/ });
  await expect(page.getByRole("list", { name: "Switches" }).getByRole("listitem")).toHaveCount(1);
  await entry.click();
  await expect(page).toHaveURL(/\/history\/r_past_2$/);
  await expect(headingOf(page, HEADINGS.historyEntry)).toBeVisible();
  await expect(page.getByRole("group", { name: "Topology before and after" })).toBeVisible();
});

test("test_timeline__a_kind_and_an_entry__are_in_the_address", async ({ page }) => {
  await open(page, "/links/l_payments");
  const list = page.getByRole("list", { name: "Time line" });
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await expect(page).toHaveURL(/show=setting/);
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await list.getByRole("link").first().click();
  await expect(page).toHaveURL(/entry=setting/);
  await page.getByRole("link", { name: "Show the latest" }).click();
  await expect(page).not.toHaveURL(/entry=/);
});

test("test_audit__verify_the_chain__shows_how_many_records_and_from_when", async ({ page }) => {
  await open(page, "/audit");
  await page.getByRole("button", { name: CONTROLS.verifyChain }).click();
  await expect(page.getByText("Verified all 48 records: the chain is intact.")).toBeVisible();
  await page.getByRole("link", { name: "Permalink of record 48" }).click();
  await expect(page).toHaveURL(/seq=48/);
  await expect(page.getByText(/"kind": "relocate"/)).toBeVisible();
});
