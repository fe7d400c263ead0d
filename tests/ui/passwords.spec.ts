/** Passwords by reference, and their rotation. */
import { expect, test } from "@playwright/test";
import { violations } from "./support/axe";
import { expectSaved, openForm, send } from "./support/change";
import { open } from "./support/open";
import { CONTROLS as C } from "./texts";

const MILAN = "/clusters/c_milan";

test("test_account__by_reference__the_password_is_not_asked_for", async ({ page }) => {
  await open(page, MILAN);
  await expect(page.getByText("file:/run/secrets/hawser/milan_monitor")).toBeVisible();
  const form = await openForm(page, C.replaceAccount);
  await form.getByLabel("User").fill("hawser_monitor");
  await form.getByText("Reference", { exact: true }).click();
  await expect(form.getByLabel("Password", { exact: true })).toHaveCount(0);
  await form
    .getByLabel("Reference", { exact: true })
    .last()
    .fill("vault:secret/hawser/milan#monitor");
  await send(form, "kept in the vault");
  await expectSaved(page, "The monitor account of milan is replaced.");
});

test("test_rotation__from_the_cluster__side_and_accounts_to_choose", async ({ page }) => {
  await open(page, MILAN);
  await page
    .getByRole("link", { name: /^Rotate passwords/ })
    .first()
    .click();
  await expect(page.getByRole("radio", { name: "milan, active" })).toBeChecked();
  expect(await violations(page)).toEqual([]);
  for (const name of ["Monitor", "Operator", "Replication"])
    await page.getByRole("checkbox", { name }).uncheck();
  await expect(page.getByText("Choose at least one account.", { exact: true })).toBeVisible();
});
