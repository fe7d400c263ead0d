/** The test of this suite: a page that must stay quiet (no crash, no refused script or style), and people by role. */
import { test as base, expect, type Page } from "@playwright/test";
import { demoFacts, userOf } from "./facts";

export { expect };

interface Suite {
  /** Sign in as the demo's user of a role. */
  signInAs: (role: string) => Promise<void>;
  noise: string[];
}

async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Name").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Links", level: 1 })).toBeVisible();
}

export const test = base.extend<Suite>({
  noise: [
    async ({ page }, hand) => {
      const noise: string[] = [];
      page.on("pageerror", (error) => noise.push(`crash: ${error.message}`));
      page.on("console", (message) => {
        if (/content security policy/i.test(message.text())) noise.push(message.text());
      });
      await hand(noise);
      expect(noise, "crashes and refused scripts or styles").toEqual([]);
    },
    { auto: true },
  ],
  signInAs: async ({ page }, hand) => {
    await hand((role) => signIn(page, userOf(role), demoFacts().password));
  },
});
