/** What axe finds on a page: every rule, every impact. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** Rules that a colour scheme can break. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

async function found(builder: AxeBuilder, scheme: string): Promise<string[]> {
  const { violations } = await builder.analyze();
  return violations.map(
    (violation) =>
      `${scheme}, ${violation.id}: ${violation.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`,
  );
}

/** Violations in both colour schemes; the dark one differs in colours only, so only they are looked at again. */
export async function violations(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const light = await found(new AxeBuilder({ page }), "light");
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  return [...light, ...(await found(new AxeBuilder({ page }).withRules(COLOUR_RULES), "dark"))];
}
