/** The way between browser and console fails: nothing old passes for present, and it is seen again without a reload. */
/* eslint no-empty-pattern: ["error", { "allowObjectPatternsAsParameters": true }] */
import type { BrowserContext, Page } from "@playwright/test";
import { patient } from "../support/patience";
import { demoFacts } from "./support/facts";
import { test as base, expect as usual } from "./support/test";
import { Way } from "./support/way";

/** A silence is noticed after 25 s (`frontend/src/api/event-stream.ts`), 15 s at the earliest; tabs behind others are slow. */
const NOTICED_MS = patient(60_000);
const AT_ONCE_MS = patient(12_000);
const expect = usual.configure({ timeout: NOTICED_MS });

const test = base.extend<{ way: Way }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads here which fixtures are asked for
  way: async ({}, hand) => {
    const way = await Way.to(Number(new URL(demoFacts().url).port));
    await hand(way);
    await way.close();
  },
  baseURL: async ({ way }, hand) => hand(way.url),
});

test.describe.configure({ timeout: patient(420_000) });

const LOST = /^Live updates interrupted/;
const OLD = /^Data is [\d.]+ (s|min) old\. Last known state: /;

/** A page of the link, one of an act on it, and one where its target is chosen. */
type Pages = Record<"link" | "act" | "target", Page>;

const onward = (act: Page, role: "link" | "button") =>
  act.getByRole(role, { name: "Choose new nodes" });
const check = (target: Page) => target.getByRole("button", { name: /^Check / });
const lostNotice = (page: Page) => page.getByRole("alert").filter({ hasText: LOST });

/** What is said of now: the values of the lag chart have the time of their sample. */
const present = (page: Page) => page.locator(":not(figure *)");

/** Everything that claims a present good on a page. */
async function claims(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const words of ["Protected", "ready", "Synced", "All components up", /all reachable$/])
    found.push(
      ...(await page.getByText(words, { exact: true }).and(present(page)).allInnerTexts()),
    );
  return found;
}

/** All is well, and the acts can be gone on with. */
async function expectWell({ link, act, target }: Pages): Promise<void> {
  await expect(onward(act, "link")).toBeVisible();
  await expect(check(target)).not.toHaveAttribute("aria-disabled");
  for (const words of ["Protected", "All components up"])
    await expect(link.getByText(words, { exact: true }).and(present(link)).first()).toBeVisible();
  for (const [page, words] of [
    [link, "ready"],
    [act, "ready"],
    [target, "Synced"],
  ] as const)
    await expect.poll(() => claims(page), { timeout: NOTICED_MS }).toContain(words);
  for (const page of [link, act, target]) await expect(lostNotice(page)).toHaveCount(0);
}

/** No page claims anything; the acts are there, say why they cannot be taken, and lead nowhere. */
async function expectNothingClaimed({ link, act, target }: Pages): Promise<void> {
  for (const page of [link, act]) await expect(page.getByText(OLD)).toBeVisible();
  await expect(link.getByText(/^Updated [\d.]+ (s|min) ago$/)).toBeVisible();
  await expect(
    link.getByRole("group", { name: /is active, Unknown, fence unknown/ }),
  ).toBeVisible();
  for (const button of [onward(act, "button"), check(target)]) {
    await expect(button).toHaveAttribute("aria-disabled", "true");
    await expect(button).toHaveAccessibleName(/Data is older than 5 s/);
    await button.click({ force: true });
  }
  await expect(act).toHaveURL(/situation$/);
  await expect(target).toHaveURL(/target$/);
  for (const radio of await target.getByRole("radio", { name: /^db-/ }).all())
    await expect(radio).toBeDisabled();
  for (const page of [link, act, target])
    await expect.poll(() => claims(page), { timeout: NOTICED_MS }).toEqual([]);
}

async function expectLostSaid(pages: Pages, timeout: number): Promise<void> {
  for (const page of Object.values(pages)) await expect(lostNotice(page)).toBeVisible({ timeout });
}

async function openAll(link: Page, context: BrowserContext): Promise<Pages> {
  const [act, target] = [await context.newPage(), await context.newPage()];
  const address = `/links/${demoFacts().link_id}`;
  await link.goto(address);
  await act.goto(`${address}/relocate/situation`);
  await target.goto(`${address}/relocate/target`);
  const pages = { link, act, target };
  await expectWell(pages);
  return pages;
}

test.beforeEach(async ({ signInAs }) => signInAs("operator"));

test("test_stream__half_open__nothing_claimed_said_so_and_back_without_a_reload", async ({
  page,
  context,
  way,
}, info) => {
  const pages = await openAll(page, context);
  expect(way.standing).toBeGreaterThan(0);
  way.fallSilent();
  await expectNothingClaimed(pages);
  await expectLostSaid(pages, NOTICED_MS);
  for (const [name, seen] of Object.entries(pages))
    await info.attach(name, { body: await seen.screenshot(), contentType: "image/png" });
  way.heal();
  await expectWell(pages);
});

test("test_stream__cut__said_at_once_and_back_without_a_reload", async ({ page, context, way }) => {
  const pages = await openAll(page, context);
  way.cut();
  await expectLostSaid(pages, AT_ONCE_MS);
  await expectNothingClaimed(pages);
  way.heal();
  await expectWell(pages);
});
