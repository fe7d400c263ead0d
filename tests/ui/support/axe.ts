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

async function found(builder: AxeBuilder, scheme: string): Promise<string[]> {
  const { violations } = await builder.analyze();
  return violations.map(
    (violation) =>
      `${scheme}, ${violation.id}: ${violation.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`,
  );
}

/** Violations in both colour schemes; the dark one differs in colours only, so only they are looked at again. */
export async function violations(page: Page): Promise<string[]> {
  await switchTo(page, "light");
  const light = await found(new AxeBuilder({ page }).setLegacyMode(), "light");
  await switchTo(page, "dark");
  return [
    ...light,
    ...(await found(new AxeBuilder({ page }).setLegacyMode().withRules(COLOUR_RULES), "dark")),
  ];
}
