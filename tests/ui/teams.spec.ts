/** Teams, roles for a part, limited tokens and environments. */
import { expect, test } from "@playwright/test";
import { violations } from "./support/axe";
import { open } from "./support/open";
import { scrollingSideways } from "./support/width";

test("test_team__created_with_a_member__is_listed", async ({ page }) => {
  await open(page, "/settings/teams");
  await page.getByRole("textbox", { name: "Name" }).fill("Database team");
  await page.getByRole("button", { name: "Create team" }).click();
  await expect(page.getByRole("heading", { name: "Database team" })).toBeVisible();
  // A list that comes later moves the field, and its choices are hidden where it leaves the window.
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
  const entry = page.getByRole("listitem").filter({ hasText: "Database team" });
  await entry.getByRole("combobox", { name: "New member of Database team" }).fill("ola");
  await page.getByRole("option", { name: "olaf", exact: true }).click();
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await entry.getByRole("button", { name: "Add member" }).click();
  expect((await sent).postDataJSON()).toEqual({ members: ["olaf"] });
  await entry.getByRole("button", { name: "Remove member… olaf" }).click();
  const removed = page.waitForRequest((request) => request.method() === "PATCH");
  await page.getByRole("dialog").getByRole("button", { name: "Remove member" }).click();
  expect((await removed).postDataJSON()).toEqual({ members: [] });
});

test("test_members__of_a_large_team__by_page_and_searched", async ({ page }) => {
  await open(page, "/settings/teams");
  const members = page.getByRole("button", { name: /^Remove member… member-/ });
  await expect(members).toHaveCount(20);
  await page.getByRole("button", { name: "Load more of the members of Night shift" }).click();
  await expect(members).toHaveCount(25);
  await page.getByLabel("Search members of Night shift").fill("member-24");
  await expect(members).toHaveCount(1);
  await page.getByLabel("Search members of Night shift").fill("nowhere");
  await expect(page.getByText("No name has “nowhere” in it.")).toBeVisible();
});

test("test_service_accounts__in_a_list_of_their_own__searched", async ({ page }) => {
  await open(page, "/settings/users");
  const services = page.getByRole("region", { name: "Service accounts" });
  await expect(services.getByRole("heading", { name: "ci-deploy" })).toBeVisible();
  await expect(page.getByRole("region", { name: "All users" }).getByText("ci-deploy")).toHaveCount(
    0,
  );
  await services.getByLabel("Search service accounts").fill("ci-backup");
  await expect(services.getByRole("heading")).toHaveText(["Service accounts", "ci-backup"]);
});

test("test_role__for_an_environment__assigned_to_a_user", async ({ page }) => {
  await open(page, "/settings/users?person=anna");
  await expect(page.getByText("approver for the environment production").first()).toBeVisible();
  await page.getByRole("combobox", { name: "For", exact: true }).click();
  await page.getByRole("option", { name: "Environment" }).click();
  await page.getByRole("combobox", { name: "Environment", exact: true }).click();
  await page.getByRole("option", { name: "production" }).click();
  const sent = page.waitForRequest(
    (request) => request.url().endsWith("/role-assignments") && request.method() === "POST",
  );
  await page.getByRole("button", { name: "Assign role" }).click();
  expect((await sent).postDataJSON()).toMatchObject({
    user: "anna",
    role: "operator",
    scope_kind: "environment",
    scope: "production",
    expires_at: null,
  });
  await expect(page.getByText("Role assigned to anna.")).toBeVisible();
});

test("test_token__limited_and_rotated__shows_the_new_secret", async ({ page }) => {
  await open(page, "/settings/tokens");
  await page.getByLabel("Description").fill("nightly");
  await page.getByLabel("Only from these addresses").first().fill("192.0.2.0/24");
  await page.keyboard.press("Enter");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: "Create token" }).click();
  expect((await sent).postDataJSON()).toMatchObject({
    label: "nightly",
    permissions: null,
    links: null,
    addresses: ["192.0.2.0/24"],
  });
  await expect(page.getByText("only from 192.0.2.0/24")).toBeVisible();
  await page.getByRole("button", { name: "Rotate token… nightly" }).click();
  const dialog = page.getByRole("dialog", { name: "Rotate token nightly" });
  await dialog.getByRole("button", { name: "Rotate token" }).click();
  await expect(dialog.getByText("hwsr_0c55f81c7a2be1d0")).toBeVisible();
});

test("test_token__revoked_as_used_by_others__says_so", async ({ page }) => {
  await open(page, "/settings/tokens");
  await page
    .getByRole("button", { name: /^Revoke token/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: /^Revoke token/ });
  await expect(dialog.getByText(/^Runs and protected changes that it requested/)).toBeVisible();
  await dialog.getByRole("checkbox", { name: "Others may have used it" }).check();
  const sent = page.waitForRequest((request) => request.method() === "DELETE");
  await dialog.getByRole("button", { name: "Revoke token" }).click();
  expect((await sent).url()).toContain("is_compromised=true");
});

test("test_environment__set_on_the_settings_of_a_link__is_sent", async ({ page }) => {
  await open(page, "/links/l_orders/settings");
  await page.getByRole("button", { name: "Set environment…" }).click();
  const dialog = page.getByRole("dialog", { name: /^Environment of / });
  await dialog.getByLabel("Environment").first().fill("staging");
  const sent = page.waitForRequest((request) => request.method() === "PUT");
  await dialog.getByRole("button", { name: "Set environment" }).click();
  expect((await sent).postDataJSON()).toEqual({ environment: "staging" });
});

for (const [name, path] of [
  ["teams", "/settings/teams"],
  ["users", "/settings/users?person=anna"],
  ["tokens", "/settings/tokens"],
] as const)
  test(`test_${name}__on_a_phone__fit_and_have_no_axe_violation`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("combobox").first()).toBeVisible();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
    expect(await scrollingSideways(page)).toEqual([]);
  });

test("test_auditor__reads_teams__and_is_told_why_nothing_can_be_changed", async ({ page }) => {
  await open(page, "/settings/teams", { role: "auditor" });
  await expect(page.getByRole("heading", { name: "Payments" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Create team/ })).toBeDisabled();
});
