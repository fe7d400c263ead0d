/** What axe finds on a page as it stands. */
import type { Page } from "@playwright/test";
import axe, { type ImpactValue, type RunOptions } from "axe-core";

export interface Violation {
  id: string;
  impact: ImpactValue | undefined;
  /** The first characters of each element. */
  elements: string[];
}

export async function runAxe(page: Page, options: RunOptions = {}): Promise<Violation[]> {
  // Of what is no violation, axe keeps one element of each rule: it need not describe the rest.
  const asked: RunOptions = { resultTypes: ["violations"], ...options };
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(async (given): Promise<Violation[]> => {
    const injected = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await injected.run(document, given);
    return violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      elements: nodes.map(({ html }) => html.slice(0, 160)),
    }));
  }, asked);
}
