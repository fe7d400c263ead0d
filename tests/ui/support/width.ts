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

/** The texts of a page that are cut off: hidden overflow, unless an ellipsis says so and a title has the whole text. */
export const clippedTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const hasText = (element: Element) =>
      Array.from(element.childNodes).some(
        (node) => node.nodeType === 3 && node.textContent?.trim(),
      );
    const isForScreenReaders = (element: Element) => element.clientWidth <= 1;
    const isCut = (element: Element) => {
      const style = getComputedStyle(element);
      const isEllipsis = style.textOverflow === "ellipsis" && element.closest("[title]") !== null;
      const cutsWidth = /hidden|clip/.test(style.overflowX) && !isEllipsis;
      const cutsHeight = /hidden|clip/.test(style.overflowY);
      return (
        (cutsWidth && element.scrollWidth > element.clientWidth + 1) ||
        (cutsHeight && element.scrollHeight > element.clientHeight + 1)
      );
    };
    return Array.from(document.querySelectorAll("main *, nav *, header *"))
      .filter((element) => hasText(element) && !isForScreenReaders(element) && isCut(element))
      .map((element) => `${element.tagName} ${element.className}: ${element.textContent.trim()}`);
  });
