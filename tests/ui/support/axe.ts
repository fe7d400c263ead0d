/** What axe finds on a page: every rule, every impact. */
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

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

async function found(asked: AxeBuilder, scheme: string): Promise<string[]> {
  const { violations } = await asked.analyze();
  return violations.map(
    (violation) =>
      `${scheme}, ${violation.id}: ${violation.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`,
  );
}

/** Of what is no violation, axe keeps one element of each rule: it need not describe the rest. */
const builder = (page: Page) =>
  new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });

/** Violations in both colour schemes; the dark one differs in colours only, so only they are looked at again. */
export async function violations(page: Page): Promise<string[]> {
  await switchTo(page, "light");
  const light = await found(builder(page), "light");
  await switchTo(page, "dark");
  return [...light, ...(await found(builder(page).withRules(COLOUR_RULES), "dark"))];
}
