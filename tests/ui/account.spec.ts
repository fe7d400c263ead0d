/** Passwords as they are typed, and what is left on the page when its user signs out. */
import { expect, test } from "@playwright/test";
import { open } from "./support/open";

const PASSWORD = "marigold kestrel 47 by owl";

test("test_new_password__typed__says_how_strong_it_is", async ({ page }) => {
  for (const [path, label] of [
    ["/account", /^New password/],
    ["/settings/users", /^Password/],
  ] as const) {
    await open(page, path, { role: "admin" });
    const field = page.getByLabel(label);
    await expect(page.getByText(/^Strength: /)).toHaveCount(0);
    await field.fill("short");
    await expect(page.getByText("Strength: too short. At least 12 characters.")).toBeVisible();
    await field.fill("123456789012");
    await expect(page.getByText(/^Strength: weak\./)).toBeVisible();
    await field.fill(PASSWORD);
    await expect(page.getByText(/^Strength: strong\./)).toBeVisible();
  }
});

test("test_password__of_each_form__can_be_shown_and_pasted", async ({ page }) => {
  const focused = page.locator(":focus");
  for (const [path, label, role] of [
    ["/sign-in", /^Password/, "none"],
    ["/account", /^Current password/, "admin"],
    ["/account", /^New password/, "admin"],
    ["/settings/users", /^Password/, "admin"],
  ] as const) {
    await open(page, path, { role });
    const field = page.getByLabel(label);
    await expect(field).toHaveAttribute("type", "password");
    await expect(field).toHaveAttribute("autocomplete", /^(current|new)-password$/);
    await field.evaluate((input, text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      const event = new ClipboardEvent("paste", { clipboardData: data, cancelable: true });
      if (!input.dispatchEvent(event)) throw new Error("pasting is refused");
    }, PASSWORD);
    await field.fill(PASSWORD);
    await field.press("Tab");
    await expect(
      page.getByRole("button", { name: "Show the password" }).and(focused),
    ).toBeVisible();
    await page.keyboard.press("Space");
    await expect(field).toHaveAttribute("type", "text");
    await expect(field).toHaveValue(PASSWORD);
  }
});

test("test_sign_out__page_and_storage__hold_nothing_of_the_links", async ({ page }) => {
  await open(page, "/links", { role: "operator" });
  await expect(page.getByRole("link", { name: "payments" }).first()).toBeVisible();
  await page.getByRole("button", { name: /operator$/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByLabel("Password", { exact: true })).toBeVisible();
  const left = await page.evaluate(() => document.body.innerHTML + JSON.stringify(localStorage));
  expect(left).not.toMatch(/payments|db-a1/);
});
