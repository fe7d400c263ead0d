/** The picture of a link in states of the lab: what is drawn, measured in the browser. */
import { expect, type Page, test } from "@playwright/test";
import { violations } from "./support/axe";
import { open } from "./support/open";
import { WALL } from "./texts";

/** The most crowded ones; the layout of all others is tested without a browser. */
const STATES = ["strays", "crossed", "nine-nodes-each", "long-names", "failed-over", "unknown"];

/** Texts that leave their room, cover each other or leave the picture, and lines through a text. */
const faults = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    await document.fonts.ready;
    const svg = document.querySelector("svg[role=group]");
    if (!(svg instanceof SVGSVGElement)) return ["no picture"];
    const texts = Array.from(svg.querySelectorAll("text"));
    const boxes = texts.map((text) => ({ text, box: text.getBBox() }));
    const { width, height } = svg.viewBox.baseVal;
    const told: string[] = [];
    for (const { text, box } of boxes) {
      const room = Number(text.dataset.room ?? box.width);
      if (text.getComputedTextLength() > room + 1)
        told.push(`wider than its room: ${text.textContent}`);
      if (box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height)
        told.push(`outside: ${text.textContent}`);
      for (const other of boxes)
        if (
          other.text !== text &&
          box.x < other.box.x + other.box.width &&
          other.box.x < box.x + box.width &&
          box.y < other.box.y + other.box.height - 6 &&
          other.box.y < box.y + box.height - 6
        )
          told.push(`${text.textContent} covers ${other.text.textContent}`);
    }
    for (const line of Array.from(svg.querySelectorAll<SVGPathElement>("path[data-line]")))
      for (let at = 0; at <= 1; at += 0.05) {
        const { x, y } = line.getPointAtLength(line.getTotalLength() * at);
        for (const { text, box } of boxes)
          if (x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height)
            told.push(`a line through ${text.textContent}`);
      }
    return told;
  });

test("test_topology__states_of_the_lab__no_text_covered_or_cut_on_page_and_wall", async ({
  page,
}) => {
  for (const state of STATES) {
    await open(page, `/links/l_${state}`, { scenario: "lab-states" });
    await expect(page.locator("svg[role=group]")).toBeVisible();
    expect(await faults(page), state).toEqual([]);
  }
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto("/links/l_strays?view=wall");
  await expect(page.locator("svg[role=group]")).toBeVisible();
  await expect(page.getByRole("navigation")).toHaveCount(0);
  expect(await faults(page)).toEqual([]);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/l_strays$/);
  await page.goto("/links?view=wall");
  await expect(page.getByText(WALL.lessUrgent)).toBeVisible();
  expect(await violations(page)).toEqual([]);
});
