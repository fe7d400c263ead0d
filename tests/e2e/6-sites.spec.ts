/** Whole sites in a browser: there and back by switchover, then sites lost, failed over, brought back and gone home to. */

import type { Page } from "@playwright/test";
import { patient } from "../support/patience";
import { lastRun, linkFacts } from "./support/api";
import { expect, test } from "./support/test";
import {
  carryOut,
  choose,
  goHome,
  linkPage,
  loseAndFailOver,
  reprotect,
  type Sides,
  scanOrphans,
  startSite,
  untilFenced,
  verdict,
} from "./support/walk";

test.describe.configure({ mode: "serial", timeout: patient(420_000) });
test.beforeEach(async ({ signInAs }) => signInAs("operator"));

test("test_switchover__under_load__roles_swap_and_the_pause_is_told", async ({ page }) => {
  const before = await linkFacts();
  const [old, next] = [before.active_cluster.name, before.standby_cluster.name];
  await choose(page, new RegExp(`^Switch over to ${next}…`));
  await page.getByRole("link", { name: "Choose fencing options" }).click();
  await expect(page.getByText("read_only=ON on every node, always")).toBeVisible();
  await page.getByRole("button", { name: `Check a switchover to ${next}` }).click();
  await carryOut(page, new RegExp(`^Switch over to ${next}, fence ${old}$`));
  const sides = page.getByRole("region", { name: "Roles and write pause" });
  await expect(sides.getByRole("row", { name: new RegExp(`^${next}`) })).toContainText(
    "now active",
  );
  await expect(sides.getByText(/^Write pause: \d+(\.\d+)? m?s, /)).toBeVisible();

  const after = await linkFacts();
  expect(after.active_cluster.id).toBe(before.standby_cluster.id);
  await page.goto(linkPage());
  await expect(page.getByText(`${next} (active) ⇄ ${old} (standby)`)).toBeVisible();
  await expect(page.getByText("fenced", { exact: true })).toBeVisible();
});

test("test_failback__under_load__home_again", async ({ page }) => {
  const before = await linkFacts();
  const homeName = before.home_cluster.name;
  await choose(page, new RegExp(`^Fail back to ${homeName}…`));
  await page.getByRole("button", { name: `Check a failback to ${homeName}` }).click();
  await carryOut(
    page,
    new RegExp(`^Fail back to ${homeName}, fence ${before.active_cluster.name}$`),
  );
  await expect(page.getByRole("cell", { name: "now active" })).toBeVisible();
  expect((await linkFacts()).active_cluster.id).toBe(before.home_cluster.id);
});

test.describe("the walk at 1280", () => {
  test.use({ viewport: { width: 1280, height: 900 } });
  let sides: Sides;

  test("test_failover__site_lost__loss_stated_lost_side_invalidated_application_follows", async ({
    page,
  }) => {
    const before = await linkFacts();
    sides = await loseAndFailOver(page);
    await page.goto(`/runs/${(await lastRun())?.id}/result`);
    const region = page.getByRole("region", { name: "Roles and write pause" });
    await expect(region.getByRole("row", { name: new RegExp(`^${sides.survivor}`) })).toContainText(
      "now active",
    );
    await expect(region.getByRole("row", { name: new RegExp(`^${sides.lost}`) })).toContainText(
      "invalidated",
    );
    expect((await linkFacts()).invalidated_cluster).toBe(before.active_cluster.id);
    await page.goto(linkPage());
    await expect(page.locator("header").getByText("Failed over", { exact: true })).toBeVisible();
    await expect(page.getByRole("heading", { name: `${sides.lost} is invalidated` })).toBeVisible();
  });

  test("test_reprotect__site_back_with_orphans__shown_replayed_and_attached", async ({ page }) => {
    await startSite(page, sides.lost);
    await untilFenced(page, sides.lost);
    await scanOrphans(page, sides);
    await page
      .getByRole("button", { name: /^Details: (insert|update|delete) bank\./ })
      .first()
      .click();
    await expect(page.getByRole("columnheader", { name: "Before" }).first()).toBeVisible();
    const file = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export as SQL" }).click();
    expect((await file).suggestedFilename()).toMatch(/orphans.*\.sql$/);
    await reprotect(page, sides, "replay");
  });

  test("test_failback__after_a_replay__home_again_and_nothing_lost", async ({ page }) => {
    await goHome(page);
    await verdict(page, /lost 0, doubled 0, nodes identical/);
  });
});

/** Addresses whose page was at some moment wider than the screen, filled as the walk goes on. */
async function watchWidth(page: Page, limit: number): Promise<Set<string>> {
  const wide = new Set<string>();
  await page.exposeFunction("reportWidth", (address: string, width: number) => {
    if (width > limit) wide.add(`${address} ${width}`);
  });
  await page.addInitScript(() => {
    const { reportWidth } = window as unknown as {
      reportWidth: (address: string, width: number) => void;
    };
    setInterval(() => reportWidth(location.pathname, document.documentElement.scrollWidth), 200);
  });
  return wide;
}

test.describe("the walk at 390", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("test_walk__on_a_telephone__lost_undone_home_and_lost_only_what_was_accepted", async ({
    page,
  }) => {
    const wide = await watchWidth(page, 390);
    const sides = await loseAndFailOver(page);
    await startSite(page, sides.lost);
    await untilFenced(page, sides.lost);
    await scanOrphans(page, sides);
    await reprotect(page, sides, "undo");
    await goHome(page);
    await verdict(page, /lost [1-9]\d*, doubled 0, nodes identical/);
    await expect(page.getByText(/^Only accepted writes were lost/)).toBeVisible();
    expect([...wide], "pages wider than the screen").toEqual([]);
  });
});

test("test_rebuild__the_other_site_lost_for_good__copied_attached_where_the_backup_was_taken", async ({
  page,
}) => {
  const { lost, survivor } = await loseAndFailOver(page);
  const donor = (await linkFacts()).clusters.active.nodes[1]?.name ?? "";
  await page.goto("/lab");
  const rebuild = page.getByRole("region", { name: "Site rebuild" });
  await rebuild.getByLabel("Source node").selectOption(donor);
  await rebuild.getByRole("button", { name: new RegExp(`^Rebuild .* from ${donor}$`) }).click();
  await expect(rebuild.getByText("copied", { exact: true })).toBeVisible({
    timeout: patient(300_000),
  });
  const seqno = (await rebuild.getByRole("listitem").nth(1).innerText()).trim();

  await page.goto(linkPage());
  await page.getByRole("link", { name: `Attach the rebuilt ${lost}` }).click();
  await page.getByRole("link", { name: "Choose how to handle orphaned transactions" }).click();
  await page.getByRole("radio", { name: `Rebuild ${lost} from ${survivor}` }).check();
  await page.getByLabel("Backup node").selectOption({ label: donor });
  await page.getByLabel("Backup position").fill(seqno);
  await page.getByRole("button", { name: `Check a reprotect with ${lost}` }).click();
  await page.getByRole("checkbox", { name: "I accept this data loss" }).check();
  const attest = page.getByRole("button", { name: "Attest and plan again" });
  await attest.click();
  await expect(attest).toBeHidden(); // the plan with the word given has taken the place of the other
  await carryOut(page, new RegExp(`^Rebuild ${lost} from ${survivor}, then attach it$`));
  await expect.poll(async () => (await linkFacts()).invalidated_cluster).toBeNull();
  await expect.poll(async () => (await linkFacts()).state).toBe("protected");
});
