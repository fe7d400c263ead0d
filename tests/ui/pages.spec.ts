/** Each page in each of its states. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { patient } from "../support/patience";
import { PAGES } from "./pages";
import { violations, violationsButOfColours } from "./support/axe";
import { headingOf, open } from "./support/open";
import { clippedTexts, scrollingSideways } from "./support/width";
import { TEXTS } from "./texts";

const ROUTES = new URL("../../frontend/src/app/routes/", import.meta.url);
/** What a window of 1280 by 900 shows at 200 %. */
const AT_200_PERCENT = { width: 640, height: 450 };
const NARROW = { width: 390, height: 844 };

test("test_pages__every_route__is_in_the_table", { tag: "@main" }, () => {
  const texts = readdirSync(ROUTES).map((name) => readFileSync(new URL(name, ROUTES), "utf8"));
  const routes = [...texts.join("").matchAll(/path: "(\/.+)"/g)].map((found) => found[1]);
  expect(routes.length).toBeGreaterThan(20);
  const missing = routes.filter((route = "") => {
    const address = new RegExp(`^${route.replace(/\$\w+/g, "[^/]+")}(\\?|$)`);
    return !PAGES.some(({ path }) => address.test(path));
  });
  expect(missing).toEqual([]);
});

/** In `make test` the states of every third page; `make test-ui` draws those of each. */
const IS_WHOLE = Boolean(process.env.HAWSER_WHOLE);
const EVERY = IS_WHOLE ? 1 : 3;
const drawn = new Set(PAGES.filter(({ reads }) => reads).filter((_, at) => at % EVERY === 0));

/** The first entry of each address, without options if there is one: `make test` draws its main state alone. */
const shape = (path: string) => path.replace(/\?.*/, "").replace(/\b[a-z]+_[a-z\d_]+\b/g, "ID");
const ordered = [...PAGES].sort(
  (a, b) => Number(a.path.includes("?")) - Number(b.path.includes("?")),
);
const mainStates = new Map([...ordered].reverse().map((entry) => [shape(entry.path), entry]));

for (const entry of PAGES) {
  const { name, path, heading, state, reads, empty } = entry;
  const tag = mainStates.get(shape(path)) === entry ? "@main" : "@further";
  test(`test_page__${name}__has_a_name_no_axe_violation_and_fits_390_and_200_percent`, {
    tag,
  }, async ({ page }) => {
    const crashes: string[] = [];
    page.on("pageerror", (error) => crashes.push(error.message));
    await open(page, path, state);
    await expect(headingOf(page, heading)).toBeVisible();
    await expect(page.getByRole("status", { name: TEXTS.loading })).toHaveCount(0);
    // Colours come from one theme: `make test` leaves them to the whole.
    expect.soft(await (IS_WHOLE ? violations : violationsButOfColours)(page)).toEqual([]);
    await page.setViewportSize(NARROW);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(width, "the page scrolls sideways").toBeLessThanOrEqual(NARROW.width);
    await expect
      .soft(async () => expect(await scrollingSideways(page)).toEqual([]), "parts scroll sideways")
      .toPass({ timeout: patient(60_000) });
    await page.setViewportSize(AT_200_PERCENT);
    const zoomed = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(zoomed, "the page scrolls sideways at 200 %").toBeLessThanOrEqual(640);
    expect.soft(await clippedTexts(page), "texts are cut off at 200 %").toEqual([]);
    expect(crashes).toEqual([]);
  });

  if (reads && drawn.has(entry))
    test(`test_page__${name}__says_that_it_loads_what_failed_and_that_there_is_nothing`, async ({
      page,
    }) => {
      await open(page, path, { ...state, answers: [`${reads}:slow`] });
      await expect(page.getByRole("status", { name: TEXTS.loading }).first()).toBeVisible();

      await open(page, path, { ...state, answers: [`${reads}:403`] });
      const alert = page.getByRole("alert").filter({ hasText: "forbidden" }).first();
      await expect(alert).toBeVisible();
      const again = page.waitForRequest((request) => request.url().includes(`/api/v1${reads}`));
      await alert.getByRole("button", { name: TEXTS.tryAgain }).click();
      await again;

      if (empty) {
        await open(page, path, { ...state, answers: [`${reads}:empty`] });
        await expect(page.getByRole("main").getByText(empty)).toBeVisible();
      }
    });
}

/** Pages of objects that cannot be read, and pages before there is what they show. */
const WITHOUT_DATA = [
  ...[
    "",
    "/orphans",
    "/tables",
    "/rehearsals",
    "/settings",
    "/relocate/situation",
    "/relocate/target",
  ].map((page) => `/links/fail-403${page}`),
  ...["/proof", "/plan", "/confirm"].map((page) => `/plans/fail-403${page}`),
  ...["", "/result"].map((page) => `/runs/fail-403${page}`),
  "/links/l_payments/relocate/checks",
  "/links/l_payments/relocate/checks?plan=fail-403",
  "/runs/r_waiting/result",
];

/** While it loads each page of a kind has the same frame. */
const LOADING = ["/links/slow", "/links/slow/relocate/target", "/plans/slow/proof", "/runs/slow"];

for (const path of WITHOUT_DATA)
  test(`test_page__${path}__has_one_h1_without_its_data`, async ({ page }) => {
    const heading = page.getByRole("heading", { level: 1 });
    await open(page, path);
    if (path.includes("fail-"))
      await expect(page.getByRole("alert").filter({ hasText: "forbidden" })).toBeVisible();
    await expect(heading).toHaveCount(1);
    await expect(page).toHaveTitle(/^(?!Hawser).+ · Hawser$/);
  });

for (const path of LOADING)
  test(`test_page__${path}__has_one_h1_while_it_loads`, async ({ page }) => {
    await open(page, path);
    await expect(page.getByRole("status", { name: TEXTS.loading }).first()).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  });
