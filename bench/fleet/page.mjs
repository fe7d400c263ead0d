/**
 * Looks at the list of links in Chromium and prints figures as JSON: `node page.mjs ADDRESS USER PASSWORD`.
 * It is told what to measure by lines on its standard input, "open" or "watch", and ends with it.
 */
import { createInterface } from "node:readline";
import { chromium } from "@playwright/test";

const [address, username, password] = process.argv.slice(2);
const OPENINGS = 7;
const WATCHED_MS = 10_000;
const WORDS = ["link-1", "milan", "oslo", "db-a7", "link-04"];

/** Runs in the page before its own code: when the first row was painted, frames, and what an input takes. */
function observers() {
  const w = window;
  const seen = new MutationObserver(() => {
    if (!document.querySelector("[data-row]")) return;
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => (w.firstRowMs = performance.now())));
  });
  seen.observe(document, { childList: true, subtree: true });
  /** From the next input until the changed rows are painted; null where it changed no row within a second. */
  w.awaitInput = (type, selector, attributes) => {
    w.drawn = new Promise((resolve) => {
      let began = 0;
      const start = (event) => {
        began = event.timeStamp;
        w.removeEventListener(type, start, true);
      };
      w.addEventListener(type, start, true);
      const change = new MutationObserver(() => {
        change.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
      });
      for (const element of document.querySelectorAll(selector))
        change.observe(element, { attributes: true, attributeFilter: attributes });
      setTimeout(() => resolve(null), 1000);
    });
  };
  w.frames = (ms) =>
    new Promise((resolve) => {
      const gaps = [];
      let last = performance.now();
      const until = last + ms;
      const frame = (now) => {
        gaps.push(now - last);
        last = now;
        if (now < until) requestAnimationFrame(frame);
        else resolve(gaps.slice(1));
      };
      requestAnimationFrame(frame);
    });
}

const sorted = (values) => values.toSorted((a, b) => a - b);
const at = (values, share) => sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))];

/** In the page: when what the first rows wait for was here, and what was loaded until then. */
function waterfall() {
  const until = window.firstRowMs;
  const loaded = performance.getEntriesByType("resource").filter((one) => one.startTime < until);
  const endOf = (pattern) => loaded.find(({ name }) => pattern.test(name))?.responseEnd ?? 0;
  return {
    first_row: until,
    entry_script: endOf(/assets\/index-.*js$/),
    session: endOf(/\/session$/),
    fleet: endOf(/\/fleet$/),
    page_script: endOf(/assets\/LinksPage-.*js$/),
    requests: loaded.length,
    kilobytes: loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000,
  };
}

async function openings(browser, state) {
  const seen = [];
  for (let n = 0; n < OPENINGS; n += 1) {
    const context = await browser.newContext({ storageState: state });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.addInitScript(observers);
    await page.goto(`${address}/links`);
    await page.waitForFunction(() => window.firstRowMs !== undefined);
    seen.push({ ...(await page.evaluate(waterfall)), main_thread: await processorMs(session) });
    await context.close();
    // The console keeps the rows for a second; each opening finds none.
    await new Promise((resolve) => setTimeout(resolve, 1100));
  }
  const medians = Object.keys(seen[0]).map((name) => [name, at(seen.map((one) => one[name]), 0.5)]);
  return { ...summary(seen.map((one) => one.first_row)), medians: Object.fromEntries(medians) };
}

async function inputs(page) {
  const times = [];
  const filter = page.getByRole("textbox", { name: "Filter" });
  for (const word of WORDS) {
    await filter.focus();
    for (const key of [...word, ..."\b".repeat(word.length)]) {
      await page.evaluate(() => window.awaitInput("keydown", "[role=grid]", ["aria-rowcount"]));
      await page.keyboard.press(key === "\b" ? "Backspace" : key);
      times.push(await page.evaluate(() => window.drawn));
    }
    await filter.fill("");
    await page.waitForTimeout(500);
  }
  for (const name of ["State", "Lag", "Gap", "Last rehearsal", "Recovery time"])
    for (let n = 0; n < 3; n += 1) {
      await page.evaluate(() => window.awaitInput("click", "th", ["aria-sort"]));
      await page.getByRole("columnheader", { name }).getByRole("button").click();
      times.push(await page.evaluate(() => window.drawn));
    }
  return times.filter((ms) => ms !== null);
}

const summary = (times) => ({ count: times.length, median_ms: at(times, 0.5), p95_ms: at(times, 0.95), most_ms: Math.max(...times) });

function frameFigures(gaps) {
  const frame = at(gaps, 0.5);
  const dropped = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / frame) - 1), 0);
  return { frames: gaps.length, frame_ms: frame, dropped, longest_ms: Math.max(...gaps) };
}

/** The processor time of the page's main thread: on a busy machine it tells more than frames do. */
async function processorMs(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
}

async function watched(page, session) {
  const before = await processorMs(session);
  const frames = frameFigures(await page.evaluate((ms) => window.frames(ms), WATCHED_MS));
  return { ...frames, main_thread_ms: (await processorMs(session)) - before };
}

const browser = await chromium.launch({
  executablePath: process.env.HAWSER_CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const page = await context.newPage();
await page.addInitScript(observers);
await page.goto(`${address}/links`);
await page.getByRole("textbox", { name: "Name" }).fill(username);
await page.getByLabel("Password", { exact: true }).fill(password);
await page.getByRole("button", { name: "Sign in", exact: true }).click();
await page.waitForSelector("[data-row]");
const session = await context.newCDPSession(page);
await session.send("Performance.enable", { timeDomain: "threadTicks" });

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "open") console.log(JSON.stringify(await openings(browser, await context.storageState())));
  else {
    const figures = { rows: await page.locator("[data-row]").count() };
    figures.frames = await watched(page, session);
    figures.inputs = summary(await inputs(page));
    console.log(JSON.stringify(figures));
  }
}
await browser.close();
