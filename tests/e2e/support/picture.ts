/** Pictures of the walk for the tutorial, taken where HAWSER_WALK_PICTURES names a folder. */
import { join } from "node:path";
import type { Page, PageScreenshotOptions } from "@playwright/test";

/** What the window shows now, under the name of the browser's size. */
export async function picture(page: Page, name: string): Promise<void> {
  await take(page, `bare-${name}`, { animations: "disabled" });
}

/** The whole page. */
export async function wholePicture(page: Page, name: string): Promise<void> {
  await take(page, name, { animations: "disabled", fullPage: true });
}

async function take(page: Page, name: string, how: PageScreenshotOptions): Promise<void> {
  const folder = process.env.HAWSER_WALK_PICTURES;
  if (!folder) return;
  const size = (page.viewportSize()?.width ?? 0) < 600 ? "phone" : "desktop";
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: join(folder, `${name}-${size}.png`), ...how });
}
