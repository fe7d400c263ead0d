/** Whole sites in a browser: there and back by switchover, then a site lost, failed over, and brought back. */
import type { Page } from "@playwright/test";
import { labFacts, lastRun, linkFacts } from "./support/api";
import { demoFacts } from "./support/facts";
import { expect, test } from "./support/test";

test.describe.configure({ mode: "serial", timeout: 420_000 });
test.beforeEach(async ({ signInAs }) => signInAs("operator"));

const linkPage = () => `/links/${demoFacts().link_id}`;

/** A load ends after its last statements, at worst in 30 s (`deploy/lab/load/control.py`); it begins in 15 s. */
const LOAD_TURNS = { timeout: 60_000 };

/** The nodes of the home site, whichever role it has now. */
async function homeNodes(): Promise<string[]> {
  const { clusters, home_cluster, active_cluster } = await linkFacts();
  const side = home_cluster.id === active_cluster.id ? clusters.active : clusters.standby;
  return side.nodes.map((node) => node.name);
}

/** Choose an act from the menu of the link's page. */
async function choose(page: Page, words: RegExp): Promise<void> {
  await page.goto(linkPage());
  await page.getByRole("button", { name: /^(Other acts|Acts)$/ }).click();
  await page.getByRole("menuitem", { name: words }).click();
  await expect(page.getByRole("heading", { name: "How it stands" })).toBeVisible();
}

/** From the checks on: proof, plan, confirmation, run, result. A plan refused for a moment is asked for again. */
async function carryOut(page: Page, act: RegExp): Promise<void> {
  const nothing = page.getByText(/^Nothing (stands in the way|forbids it)/);
  await expect(async () => {
    if (await page.getByText(/^Refused, for/).isVisible())
      await page.getByRole("button", { name: "Check again" }).click();
    await expect(nothing).toBeVisible({ timeout: 5000 });
  }).toPass({ timeout: 90_000 });
  await page.getByRole("link", { name: "See the proof" }).click();
  await expect(page.getByText("Proven in the run")).toBeVisible();
  await page.getByRole("link", { name: "See the plan" }).click();
  await page.getByRole("link", { name: "Go to confirmation" }).click();
  await page.getByLabel("Reason or ticket").fill("INC-4212: a test of whole sites");
  await page.getByLabel(/^Type the link's name/).fill((await linkFacts()).name);
  await page.getByRole("button", { name: act }).click();
  await expect(page).toHaveURL(/\/runs\/r_/);
  await page.getByRole("link", { name: "See the result" }).click({ timeout: 120_000 });
  const run = await lastRun();
  expect(`${run?.state}: ${run?.outcome}`).toMatch(/^succeeded: /);
  await expect(page.getByText("Succeeded").first()).toBeVisible();
}

test("test_switchover__under_load__roles_swap_and_the_pause_is_told", async ({ page }) => {
  const before = await linkFacts();
  const [old, next] = [before.active_cluster.name, before.standby_cluster.name];
  await choose(page, new RegExp(`^Switch over to ${next}…`));
  await page.getByRole("link", { name: "Choose how writes are fenced" }).click();
  await expect(page.getByText("read_only on every node, always")).toBeVisible();
  await page.getByRole("button", { name: `Check a switchover to ${next}` }).click();
  await carryOut(page, new RegExp(`^Switch over to ${next}, fence ${old}$`));
  const sides = page.getByRole("region", { name: "The two sides" });
  await expect(sides.getByRole("row", { name: new RegExp(next) })).toContainText(
    "now takes writes",
  );
  await expect(sides.getByRole("row", { name: /Write pause/ })).toContainText(/\d+(\.\d+)? m?s/);

  const after = await linkFacts();
  expect(after.active_cluster.id).toBe(before.standby_cluster.id);
  await page.goto(linkPage());
  await expect(page.getByText(`${next} (active) ⇄ ${old} (standby)`)).toBeVisible();
  await expect(page.getByText("fenced", { exact: true })).toBeVisible({ timeout: 30_000 });
});

test("test_failback__under_load__home_again", async ({ page }) => {
  const before = await linkFacts();
  const homeName = before.home_cluster.name;
  await choose(page, new RegExp(`^Go home to ${homeName}…`));
  await page.getByRole("button", { name: `Check the way home to ${homeName}` }).click();
  await carryOut(page, new RegExp(`^Go home to ${homeName}, fence ${before.active_cluster.name}$`));
  await expect(page.getByText("now takes writes")).toBeVisible();
  expect((await linkFacts()).active_cluster.id).toBe(before.home_cluster.id);
});

/** Kill the side that takes writes, give every word that is asked for, and fail over; the names of both sides. */
async function loseAndFailOver(page: Page): Promise<{ lost: string; survivor: string }> {
  const { active_cluster, standby_cluster, clusters } = await linkFacts();
  const [lost, survivor] = [active_cluster.name, standby_cluster.name];
  const names = clusters.active.nodes.map((node) => node.name);
  await page.goto("/lab");
  for (const name of names) await page.getByRole("button", { name: `Kill ${name}` }).click();

  await page.goto(linkPage());
  await page.getByRole("link", { name: `Fail over to ${survivor}…` }).click({ timeout: 60_000 });
  await page.getByRole("link", { name: "Say what is fenced, and what may be lost" }).click();
  for (const name of names)
    await page.getByRole("checkbox", { name: new RegExp(`^I attest that ${name} `) }).check();
  await page.getByRole("checkbox", { name: /^I accept / }).check();
  await page.getByRole("button", { name: `Check a failover to ${survivor}` }).click();
  await carryOut(page, new RegExp(`^Fail over to ${survivor}, lose `));
  return { lost, survivor };
}

test("test_failover__site_killed__loss_stated_and_the_lost_side_invalidated", async ({ page }) => {
  const before = await linkFacts();
  const { lost, survivor } = await loseAndFailOver(page);
  const sides = page.getByRole("region", { name: "The two sides" });
  await expect(sides.getByRole("row", { name: new RegExp(survivor) })).toContainText(
    "now takes writes",
  );
  await expect(sides.getByRole("row", { name: new RegExp(lost) })).toContainText("invalidated");

  expect((await linkFacts()).invalidated_cluster).toBe(before.active_cluster.id);
  await page.goto(linkPage());
  await expect(page.getByText("Failed over")).toBeVisible();
  await expect(page.getByRole("heading", { name: `${lost} is invalidated` })).toBeVisible();
});

/** The load of before must not write on the returned side: its schema changes could be neither replayed nor undone. */
async function holdLoad(page: Page): Promise<void> {
  const stop = page.getByRole("button", { name: "Stop the load" });
  await expect(stop.or(page.getByRole("button", { name: "Start the load" }))).toBeVisible(
    LOAD_TURNS,
  );
  if (await stop.isVisible()) await stop.click();
  await expect(page.getByRole("button", { name: "Start the load" })).toBeVisible(LOAD_TURNS);
}

/** Let the load write for a moment, so that the returned side has transactions of its own: long before its first DDL. */
async function writeForAMoment(page: Page): Promise<void> {
  const acknowledged = async () => (await labFacts()).load.acknowledged ?? 0;
  await page.getByRole("button", { name: "Start the load" }).click();
  await expect(page.getByRole("button", { name: "Stop the load" })).toBeVisible(LOAD_TURNS);
  const first = await acknowledged();
  await expect.poll(acknowledged, { intervals: [500], ...LOAD_TURNS }).toBeGreaterThan(first + 20);
  await holdLoad(page);
}

/** Start what is dead; a site that lies down as a whole comes up together, led by its most advanced node. */
async function startAll(page: Page): Promise<void> {
  for (const name of await homeNodes()) {
    const row = page.getByRole("row", { name: new RegExp(name) });
    await expect(async () => {
      const start = row.getByRole("button", { name: `Start ${name}` });
      if (await start.isEnabled()) await start.click();
      await expect(row).toContainText("Synced", { timeout: 10_000 });
    }).toPass({ timeout: 180_000 });
  }
}

test("test_reprotect__site_back_with_orphans__shown_replayed_and_attached", async ({ page }) => {
  const before = await linkFacts();
  const [lost, survivor] = [before.standby_cluster.name, before.active_cluster.name];
  await page.goto("/lab");
  await holdLoad(page);
  await startAll(page);
  await writeForAMoment(page);

  await page.goto(linkPage());
  await page.getByRole("link", { name: `Reprotect ${lost}…` }).click({ timeout: 60_000 });
  await page.getByRole("link", { name: "Choose what becomes of the orphans" }).click();
  await page.getByRole("radio", { name: `Fence ${lost}, and nothing else` }).check();
  await page.getByRole("button", { name: `Check how ${lost} comes back` }).click();
  await carryOut(page, new RegExp(`^Fence ${lost}$`));

  await page.goto(`${linkPage()}/orphans`);
  await page.getByRole("button", { name: /^Scan (again|for orphans)$/ }).click();
  await expect(
    page.getByText(new RegExp(`^${lost} has \\d+ transactions? that ${survivor} never received`)),
  ).toBeVisible({ timeout: 60_000 });
  await page
    .getByRole("button", { name: /^(insert|update|delete) bank\./ })
    .first()
    .click();
  await expect(page.getByRole("columnheader", { name: "Before" }).first()).toBeVisible();
  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export as SQL" }).click();
  expect((await file).suggestedFilename()).toMatch(/orphans.*\.sql$/);

  await page.getByRole("link", { name: "Plan a replay…" }).click();
  await page.getByRole("link", { name: "Choose what becomes of the orphans" }).click();
  await expect(
    page.getByRole("radio", { name: `Replay the orphans on ${survivor}` }),
  ).toBeChecked();
  await page.getByRole("button", { name: `Check how ${lost} comes back` }).click();
  await carryOut(page, new RegExp(`^Replay the orphans on ${survivor}, then attach ${lost}$`));
  await expect.poll(async () => (await linkFacts()).invalidated_cluster).toBeNull();
  await expect.poll(async () => (await linkFacts()).state, { timeout: 60_000 }).toBe("protected");
});

test("test_rebuild__the_other_site_lost_for_good__copied_attached_where_the_backup_was_taken", async ({
  page,
}) => {
  const { lost, survivor } = await loseAndFailOver(page);
  const donor = (await linkFacts()).clusters.active.nodes[1]?.name ?? "";
  await page.goto("/lab");
  await holdLoad(page);
  const rebuild = page.getByRole("region", { name: "Rebuild a site" });
  await rebuild.getByLabel("From").selectOption(donor);
  await rebuild.getByRole("button", { name: new RegExp(`^Copy .* anew from ${donor}$`) }).click();
  await expect(rebuild.getByText("copied", { exact: true })).toBeVisible({ timeout: 300_000 });
  const seqno = (await rebuild.getByRole("listitem").nth(1).innerText()).trim();
  await writeForAMoment(page);

  await page.goto(linkPage());
  await page.getByRole("link", { name: `Attach the rebuilt ${lost}` }).click({ timeout: 60_000 });
  await page.getByRole("link", { name: "Choose what becomes of the orphans" }).click();
  await page.getByRole("radio", { name: `Rebuild ${lost} from ${survivor}` }).check();
  await page.getByLabel("Backed up on").selectOption({ label: donor });
  await page.getByLabel("Backup position").fill(seqno);
  await page.getByRole("button", { name: `Check how ${lost} comes back` }).click();
  await page.getByRole("checkbox", { name: "I accept this loss" }).check();
  const attest = page.getByRole("button", { name: "Attest and plan again" });
  await attest.click();
  await expect(attest).toBeHidden({ timeout: 60_000 }); // the plan with the word given has taken the place of the other
  await carryOut(page, new RegExp(`^Rebuild ${lost} from ${survivor}, then attach it$`));
  await expect.poll(async () => (await linkFacts()).invalidated_cluster).toBeNull();
  await expect.poll(async () => (await linkFacts()).state, { timeout: 60_000 }).toBe("protected");
});
