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

/** Violations of any rule that does not depend on colours: to look at these takes twice as long as all others. */
export async function violationsButOfColours(page: Page): Promise<string[]> {
  const rules = Object.fromEntries(COLOUR_RULES.map((id) => [id, { enabled: false }]));
  return found(page, "light", { rules });
}

/** Violations in both colour schemes; the dark one differs in colours only, so only they are looked at again. */
export async function violations(page: Page): Promise<string[]> {
  await switchTo(page, "light");
  const light = await found(page, "light");
  await switchTo(page, "dark");
  return [...light, ...(await found(page, "dark", { runOnly: COLOUR_RULES }))];
}
