/** What axe finds on a page in the colour schemes: every rule, every impact. */
import { expect, type Page } from "@playwright/test";
import type { RunOptions } from "axe-core";
import { runAxe } from "../../support/axe";

/** Rules that a colour scheme can break. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

async function switchTo(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
  // A colour that is still on its way is neither the old one nor the new one.
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    const moving = document.getAnimations().filter((each) => each instanceof CSSTransition);
    await Promise.allSettled(moving.map((each) => each.finished));
  });
}

async function found(page: Page, scheme: string, options?: RunOptions): Promise<string[]> {
  const violations = await runAxe(page, options);
  return violations.map(({ id, elements }) => `${scheme}, ${id}: ${elements.join(" | ")}`);
}

/** Violations of any rule in the light colour scheme. */
export async function lightViolations(page: Page): Promise<string[]> {
  await switchTo(page, "light");
  return found(page, "light");
}

/** Violations in both colour schemes; the dark one differs in colours only, so only they are looked at again. */
export async function violations(page: Page): Promise<string[]> {
  const light = await lightViolations(page);
  await switchTo(page, "dark");
  return [...light, ...(await found(page, "dark", { runOnly: COLOUR_RULES }))];
}
