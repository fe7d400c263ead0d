/** Sign-in by a provider: the button, the way back, and every refusal. */
import { expect, test } from "@playwright/test";
import { headingOf, open } from "./support/open";
import { HEADINGS as H } from "./texts";

const PROVIDER = { scenario: "provider", role: "none" } as const;

test("test_sign_in__no_provider__a_form_only", async ({ page }) => {
  await open(page, "/sign-in", { role: "none" });
  await expect(page.getByRole("button")).toHaveText(["", "Sign in", "Sign in with a passkey"]);
});

test("test_sign_in__by_the_provider__opens_the_page_that_was_asked_for", async ({ page }) => {
  await open(page, "/sign-in?next=%2Fruns", PROVIDER);
  const button = page.getByRole("button", { name: "Sign in with Example ID" });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(headingOf(page, H.runs)).toBeVisible();
  await expect(page).toHaveURL(/\/runs$/);
});

test("test_sign_in__provider_down__said_and_the_form_is_there", async ({ page }) => {
  await open(page, "/sign-in", { scenario: "provider-down", role: "none" });
  await expect(page.getByRole("alert")).toContainText(
    "Example ID is not available: no response within 5 s. Local users can sign in",
  );
  await expect(page.getByRole("button", { name: "Sign in with Example ID" })).toBeDisabled();
  await expect(page.getByLabel("Name")).toBeEditable();
});

test("test_callback__refused__says_why_and_leads_back", async ({ page }) => {
  await open(page, "/sign-in/callback?state=s&code=no-group", PROVIDER);
  await expect(headingOf(page, H.signInRefused)).toBeVisible();
  await expect(page.getByRole("alert")).toContainText("in no group that has a role");
  await page.getByRole("link", { name: "Back to sign-in" }).click();
  await expect(page.getByRole("button", { name: "Sign in with Example ID" })).toBeVisible();
});

test("test_account__of_a_provider__where_the_role_comes_from_and_no_password", async ({ page }) => {
  await open(page, "/account", { scenario: "provider", role: "operator" });
  await expect(page.getByText("dba, staff")).toBeVisible();
  await expect(page.getByLabel("Current password")).toHaveCount(0);
});

test("test_sign_out__of_a_provider__goes_on_to_the_provider", async ({ page }) => {
  await open(page, "/account", { scenario: "provider", role: "operator" });
  await page.getByRole("button", { name: /^olaf/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/sign-in\?next=%2Fruns$/);
});

test("test_users__of_a_provider__groups_shown_and_role_not_changed_here", async ({ page }) => {
  await open(page, "/settings/users?person=lena");
  await expect(page.getByText("From the provider, groups dba, dba-leads")).toBeVisible();
  await expect(page.getByLabel("Same person as lena")).toBeVisible();
  await expect(page.getByLabel("Role of lena", { exact: true })).toHaveCount(0);
});
