import { patient } from "../support/patience";
import { demoFacts, userOf } from "./support/facts";
import { expect, test } from "./support/test";

test("test_sign_in__wrong_password__says_so_and_stays", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByLabel("Name").fill(userOf("operator"));
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("Incorrect name or password.")).toBeVisible();
  await expect(page).toHaveURL(/sign-in/);
});

test("test_sign_in__deep_link__comes_back_to_it", async ({ page }) => {
  await page.goto("/audit?action=cli:user:create");
  await page.getByLabel("Name").fill(userOf("viewer"));
  await page.getByLabel("Password", { exact: true }).fill(demoFacts().password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Audit" })).toBeVisible();
  await expect(page).toHaveURL(/action=/);
});

test("test_sign_out__then_back__asks_again", async ({ page, signInAs }) => {
  await signInAs("operator");
  await page.getByRole("button", { name: userOf("operator") }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
  await page.goto("/links");
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
});

test("test_palette__ctrl_k__goes_to_a_node", async ({ page, signInAs }) => {
  await signInAs("operator");
  const palette = page.getByPlaceholder("Page, link, node, run, action or ID");
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(palette).toBeVisible({ timeout: patient(1_000) });
  }).toPass();
  await palette.fill("db-b2");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/clusters\?node=/);
  await expect(page.getByText("Receive queue")).toBeVisible();
});

test("test_clock__switched__labelled_and_kept", async ({ page, signInAs }) => {
  await signInAs("viewer");
  const clock = page.getByRole("button", { name: /Server time in/ });
  await expect(clock).toContainText("UTC");
  await clock.click();
  await expect(clock).toContainText("local");
  await page.reload();
  await expect(clock).toContainText("local");
});
