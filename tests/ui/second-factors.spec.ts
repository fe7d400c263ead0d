/** Second factors on the API from memory; passkeys need a name of a host, so tests/e2e has them. */
import { expect, type Page, test } from "@playwright/test";
import { violations } from "./support/axe";
import { expectSaved, openForm, send } from "./support/change";
import { headingOf, open } from "./support/open";
import { CONTROLS as C, HEADINGS as H } from "./texts";

const RIGHT_CODE = "123456";
const panel = (page: Page) => page.getByRole("region", { name: "Second factors" });

/** Adds an app; a wrong code first says so. */
async function addApp(page: Page): Promise<void> {
  await panel(page).getByRole("button", { name: "Add an authenticator app" }).click();
  await expect(panel(page).getByRole("img", { name: /^QR code/ })).toBeVisible();
  const code = panel(page).getByLabel("Code of the app");
  await code.fill("000000");
  await code.press("Enter");
  await expect(panel(page).getByRole("alert")).toContainText("Wrong code");
  await code.fill(RIGHT_CODE);
  await code.press("Enter");
}

test("test_account__app_added__codes_once_then_listed_and_removed", async ({ page }) => {
  await open(page, "/account");
  await addApp(page);
  const codes = panel(page).getByRole("list", { name: "Codes" });
  await expect(codes.getByRole("listitem")).toHaveCount(10);
  expect(await violations(page)).toEqual([]);
  await panel(page).getByRole("button", { name: "I have kept them" }).click();
  await expect(codes).toHaveCount(0);
  await expect(panel(page).getByText("Recovery codes left: 10")).toBeVisible();
  await panel(page).getByRole("button", { name: "Make new codes…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make new codes" }).click();
  await expect(codes.getByRole("listitem")).toHaveCount(10);
  await panel(page).getByRole("button", { name: "I have kept them" }).click();
  await panel(page).getByRole("button", { name: "Remove app…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove the app" }).click();
  await expect(panel(page).getByRole("button", { name: "Add an authenticator app" })).toBeVisible();
});

test("test_sign_in__user_with_a_factor__second_step_by_keyboard", async ({ page }) => {
  await open(page, "/sign-in?next=%2Faudit", { role: "none" });
  await page.getByLabel("Name").fill("olaf");
  await page.getByLabel("Password", { exact: true }).fill("factor");
  await page.keyboard.press("Enter");
  const code = page.getByLabel("Code of the app, or a recovery code");
  await expect(code).toBeVisible();
  await expect(page.getByRole("button", { name: "Back" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await code.fill("999999");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("Wrong code");
  await page.reload();
  await code.fill(RIGHT_CODE);
  await page.keyboard.press("Enter");
  await expect(headingOf(page, H.audit)).toBeVisible();
});

test("test_sign_in__back_then_a_wrong_password__said_at_the_form", async ({ page }) => {
  await open(page, "/sign-in", { role: "none" });
  const password = page.getByLabel("Password", { exact: true });
  const signInWith = async (text: string) => {
    await page.getByLabel("Name").fill("olaf");
    await password.fill(text);
    await password.press("Enter");
  };
  await signInWith("factor");
  await page.getByRole("button", { name: "Back" }).click();
  await signInWith("wrong");
  await expect(page.getByText("Incorrect name or password.")).toBeVisible();
  await signInWith("factor");
  await expect(page.getByRole("button", { name: "Back" })).toBeVisible();
});

test("test_step_up__before_an_action__what_was_typed_is_kept_and_sent_with_its_key", async ({
  page,
}) => {
  await open(page, "/settings/users", { scenario: "old-proof" });
  const keys: (string | undefined)[] = [];
  page.on("request", (request) => {
    const isMade = request.method() === "POST" && request.url().endsWith("/api/v1/users");
    if (isMade) keys.push(request.headers()["idempotency-key"]);
  });
  const users = page.getByRole("region", { name: "All users" });
  await users.getByLabel("Name").fill("petra");
  await users.getByLabel(/^Password/).fill("lantern-quarry-violet-71");
  await users.getByRole("button", { name: "Add user" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(users.getByRole("alert")).toContainText("Confirm that it is you");
  await users.getByRole("button", { name: "Add user" }).click();
  await expect(dialog).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await dialog.getByLabel("Code of the app, or a recovery code").fill(RIGHT_CODE);
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(users.getByLabel("Name")).toHaveValue("");
  expect(keys).toHaveLength(3);
  expect(keys[2]).toBe(keys[1]);
});

test("test_step_up__its_code_cannot_be_loaded__refused_in_words_and_asked_the_next_time", async ({
  page,
}) => {
  await open(page, "/settings/users", { scenario: "old-proof" });
  await page.route("**/StepUpDialog*.js", (route) => route.abort());
  const users = page.getByRole("region", { name: "All users" });
  await users.getByLabel("Name").fill("petra");
  await users.getByLabel(/^Password/).fill("lantern-quarry-violet-71");
  await users.getByRole("button", { name: "Add user" }).click();
  await expect(users.getByRole("alert")).toContainText("Confirm that it is you");
  await expect(users.getByLabel("Name")).toHaveValue("petra");
  await page.unroute("**/StepUpDialog*.js");
  await users.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByRole("dialog", { name: "Confirm that it is you" })).toBeVisible();
});

test("test_step_up__over_the_form_of_a_change__answered_there_and_saved", async ({ page }) => {
  await open(page, "/links/l_payments/settings", { scenario: "old-proof" });
  const form = await openForm(page, C.renameLink);
  await form.getByLabel("Name").fill("payments-2");
  await send(form, "CHG-1");
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await dialog.getByLabel("Code of the app, or a recovery code").fill(RIGHT_CODE);
  await page.keyboard.press("Enter");
  await expectSaved(page, "The link is named payments-2.");
});

test("test_required_factor__none_yet__only_page_until_it_is_added", async ({ page }) => {
  await open(page, "/runs", { scenario: "must-add-factor" });
  await expect(headingOf(page, H.addFactor)).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await violations(page)).toEqual([]);
  await addApp(page);
  await panel(page).getByRole("button", { name: "I have kept them" }).click();
  await expect(headingOf(page, H.links)).toBeVisible();
});

test("test_only_page__must_add_a_factor__signs_out_without_one", async ({ page }) => {
  await open(page, "/links", { scenario: "must-add-factor" });
  await expect(headingOf(page, H.addFactor)).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(headingOf(page, H.signIn)).toBeVisible();
});
