/** What axe finds on a page, and whether the page is wider than its window. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** Serious and critical violations of WCAG 2.2 AA. */
export async function grave(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ["violations"] })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  return violations
    .filter((violation) => violation.impact === "serious" || violation.impact === "critical")
    .map(
      (v) => `${page.url()} ${v.id}: ${v.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`,
    );
}

/** By how many pixels the page reaches beyond a window of this width. */
export async function overflowAt(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 900 });
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}
