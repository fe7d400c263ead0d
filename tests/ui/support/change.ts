/** The form of a change: opened, filled and sent as a user does. */
import { expect, type Locator, type Page } from "@playwright/test";

/** Open the form behind this button. */
export async function openForm(page: Page, name: RegExp): Promise<Locator> {
  await page.getByRole("main").getByRole("button", { name }).first().click();
  const form = page.getByRole("dialog");
  await expect(form).toBeVisible();
  return form;
}

/** Fill in the reason and press the button that saves. */
export async function send(form: Locator, reason: string): Promise<void> {
  await form.getByLabel("Reason").fill(reason);
  await form.locator('button[type="submit"]').click();
}

/** The form closes, and a toast says what was done. */
export async function expectSaved(page: Page, text: RegExp | string): Promise<void> {
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("status").filter({ hasText: text })).toBeVisible();
}
