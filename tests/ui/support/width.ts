/** What is wider than the screen. */
import type { Page } from "@playwright/test";

/** The elements of a page that a reader would have to scroll sideways. */
export const scrollingSideways = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll("main *, nav *"))
      .filter(
        (element) =>
          element.scrollWidth > element.clientWidth + 1 &&
          /auto|scroll/.test(getComputedStyle(element).overflowX),
      )
      .map((element) => `${element.tagName} ${element.className}: ${element.scrollWidth}`),
  );
