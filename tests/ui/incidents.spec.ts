/** An incident: the way to it, its order by keyboard, attestations by link, one confirmation, and the second person. */
import { expect, test } from "@playwright/test";
import { headingOf, open } from "./support/open";
import { HEADINGS } from "./texts";

test("test_link__its_site_is_lost__leads_to_an_incident_over_its_links", async ({ page }) => {
  await open(page, "/links/l_billing");
  await page.getByRole("link", { name: "open an incident" }).click();
  await expect(page).toHaveURL(/\/incidents\?site=Milan/);
  await expect(page.getByRole("group", { name: "Touched links" })).toBeVisible();
  await page.getByRole("button", { name: /^Open incident over \d+ links$/ }).click();
  await expect(headingOf(page, HEADINGS.incident)).toBeVisible();
});

test("test_incident__order_by_keyboard_attestations_by_link_and_the_name__started", async ({
  page,
}) => {
  await open(page, "/incidents/x_planned", { role: "operator" });
  const rows = page.getByRole("table", { name: "Links of the incident" }).getByRole("rowheader");
  await page.getByRole("button", { name: "Move payments down" }).focus();
  await page.keyboard.press("Enter");
  await expect(rows.first()).toContainText("orders");
  await expect(page.getByRole("button", { name: "Move payments down" })).toBeFocused();

  const billing = page.getByRole("group", { name: "billing" });
  await billing.getByRole("checkbox", { name: /db-a1 is fenced/ }).check();
  await page.getByRole("button", { name: "Attest and plan 1 link again" }).click();
  const start = page.getByRole("button", { name: /^Start 3 operations, 1 at once/ });
  await expect(start).toHaveAttribute("aria-disabled", "true");
  await page.getByRole("checkbox", { name: /^payments: I repeat/ }).check();
  await page.getByRole("textbox", { name: "Reason or ticket" }).fill("INC-4301");
  await page.getByRole("textbox", { name: /^Type the incident's name/ }).fill("Loss of Milan");
  await start.click();
  await expect(page.getByText("operator-1, ").first()).toBeVisible();
  await expect(page.getByText(/^Running\./)).toBeVisible();
});

test("test_incident__waiting_for_a_second_person__approved_by_another_one", async ({ page }) => {
  await open(page, "/incidents/x_running", { role: "approver" });
  await page.getByRole("textbox", { name: "Comment" }).fill("Read.");
  await page.getByRole("button", { name: "Approve all operations" }).click();
  await expect(page.getByRole("heading", { name: "Approval required" })).toHaveCount(0);
});
