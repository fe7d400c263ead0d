/** The guided registration: resumable, with its statements read first and its password kept nowhere. */
import { expect, test } from "@playwright/test";
import { open } from "./support/open";
import { CONTROLS as C } from "./texts";

test("test_guide__typed_and_reloaded__kept_but_the_password", async ({ page }) => {
  await open(page, "/registrations");
  await page.getByRole("button", { name: C.startGuide }).click();
  const stored = page.waitForResponse(
    (answer) =>
      answer.request().method() === "PATCH" &&
      answer.request().postData()?.includes("root") === true,
  );
  await page.getByLabel("Host", { exact: true }).fill("db-a1.example.net");
  await page.getByLabel(C.administratorUser).fill("root");
  await page.getByLabel(C.administratorPassword).fill("not a real one");
  await page.getByLabel("Site").focus();
  await stored;
  await page.reload();
  await expect(page.getByLabel("Host", { exact: true })).toHaveValue("db-a1.example.net");
  await expect(page.getByLabel(C.administratorUser)).toHaveValue("root");
  await expect(page.getByLabel(C.administratorPassword)).toHaveValue("");
});

test("test_guide__password_refused__said_at_its_field", async ({ page }) => {
  await open(page, "/registrations/f_half?step=second");
  await page.getByLabel("Host", { exact: true }).fill("db-b1.example.net");
  await page.getByLabel(C.administratorUser).fill("root");
  await page.getByLabel(C.administratorPassword).fill("wrong");
  await page.getByRole("button", { name: C.discover }).click();
  await expect(page.getByText(/Credentials refused for user root/)).toBeVisible();
  await page.getByLabel(C.administratorPassword).fill("not a real one");
  await page.getByRole("button", { name: C.discover }).click();
  await expect(page.getByRole("rowheader", { name: "db-b3" })).toBeVisible();
});

test("test_guide__accounts__created_only_after_the_statements_are_confirmed", async ({ page }) => {
  await open(page, "/registrations/f_half?step=first");
  await expect(page.getByText(/binlog_format/).first()).toBeVisible();
  const create = page.getByRole("button", { name: C.createAccounts });
  await expect(create).toBeDisabled();
  await page.getByLabel(C.statementsRead).check();
  await create.click();
  await expect(page.getByText(/The three accounts exist/)).toBeVisible();
  await expect(page.getByText("done").first()).toBeVisible();
});

test("test_guide__client_certificate__stored_with_its_end_and_its_key_not_shown", async ({
  page,
}) => {
  await open(page, "/registrations/f_ready?step=second");
  await page.getByLabel(C.clientCertificate).fill("-----BEGIN CERTIFICATE-----");
  await page.getByLabel(C.clientKey).fill("not a real one");
  await page.getByRole("button", { name: C.storeCertificate }).click();
  await expect(page.getByText("Client certificate CN=hawser")).toBeVisible();
  await expect(page.getByText("Stored; its key is sealed.")).toBeVisible();
  await expect(page.getByLabel(C.clientKey)).toHaveValue("");
  await page.getByRole("button", { name: C.removeCertificate }).click();
  await expect(page.getByText("None is stored.")).toBeVisible();
});

test("test_guide__changed_in_another_window__password_not_sent_and_what_to_do_said", async ({
  page,
}) => {
  await open(page, "/registrations/f_half?step=second");
  await page.getByLabel("Host", { exact: true }).fill("db-b1.example.net");
  await page.getByLabel(C.administratorUser).fill("root");
  await page.getByLabel(C.administratorPassword).fill("not a real one");
  await page.evaluate(() =>
    fetch("/api/v1/registrations/f_half", {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ second: { host: "db-x.example.net" } }),
    }),
  );
  await page.getByRole("button", { name: C.discover }).click();
  await expect(page.getByText(/Load the registration again, read them/)).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Host", { exact: true })).toHaveValue("db-x.example.net");
});

test("test_guide__of_another_user__read_only_until_it_is_taken_over", async ({ page }) => {
  await open(page, "/registrations/f_foreign?step=first");
  await expect(page.getByLabel("Host", { exact: true })).toBeDisabled();
  await page.getByRole("button", { name: C.takeOver }).click();
  await page.getByRole("button", { name: C.takeItOver }).click();
  await expect(page.getByLabel("Host", { exact: true })).toBeEnabled();
  await expect(page.getByText(/guided registration is nora/)).toHaveCount(0);
});

test("test_guide__all_well__registered_and_rehearsed", async ({ page }) => {
  await open(page, "/registrations/f_ready?step=link");
  await expect(page.getByText(/The clusters are linked/)).toBeVisible();
  await page.getByRole("link", { name: /^Next: review/ }).click();
  await page.getByRole("button", { name: C.registerAll }).click();
  await page.getByRole("button", { name: C.rehearseFirst }).click();
  await expect(page.getByText("The rehearsal passed.")).toBeVisible();
});
