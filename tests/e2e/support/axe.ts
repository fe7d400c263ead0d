/** What axe finds on a page, and whether the page is wider than its window. */
import type { Page } from "@playwright/test";
import { runAxe } from "../../support/axe";

/** Serious and critical violations of WCAG 2.2 AA. */
export async function grave(page: Page): Promise<string[]> {
  const violations = await runAxe(page, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, elements }) => `${page.url()} ${id}: ${elements.join(" | ")}`);
}

/** By how many pixels the page reaches beyond a window of this width. */
export async function overflowAt(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 900 });
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}
