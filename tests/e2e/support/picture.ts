/** Pictures of the walk for the tutorial, taken where HAWSER_WALK_PICTURES names a folder. */
import { join } from "node:path";
import type { Page } from "@playwright/test";

/** What the window shows now, under the name of the browser's size. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.HAWSER_WALK_PICTURES;
  if (!folder) return;
  const size = (page.viewportSize()?.width ?? 0) < 600 ? "phone" : "desktop";
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: join(folder, `bare-${name}-${size}.png`), animations: "disabled" });
}
