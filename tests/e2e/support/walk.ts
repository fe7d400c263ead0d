/** What a person does with whole sites, page by page: lose one, fail over, bring it back, go home, ask for the verdict. */
import type { Page } from "@playwright/test";
import { patient } from "../../support/patience";
import { lastRun, linkFacts } from "./api";
import { demoFacts } from "./facts";
import { expect } from "./test";

export const linkPage = () => `/links/${demoFacts().link_id}`;

/** Names of the two sides: the one that was lost, and the one that accepts writes. */
export interface Sides {
  lost: string;
  survivor: string;
}

/** Choose an act from the menu of the link's page. */
export async function choose(page: Page, words: RegExp): Promise<void> {
  await page.goto(linkPage());
  await page.getByRole("button", { name: /^(Other operations|Operations)$/ }).click();
  await page.getByRole("menuitem", { name: words }).click();
  await expect(page.getByRole("heading", { name: "Current topology" })).toBeVisible();
}

/** The checks of a plan pass. Just after a loss or another move it may be refused: then it is asked for again. */
export async function checksPassed(page: Page): Promise<void> {
  const passed = page.getByText(/^(All checks passed|No blockers)\./);
  await expect(async () => {
    if (await page.getByText(/^Plan refused: /).isVisible())
      await page.getByRole("button", { name: "Check again" }).click();
    await expect(passed).toBeVisible({ timeout: patient(5000) });
  }).toPass({ timeout: patient(90_000) });
}

/** From the checks on: proof, plan, confirmation, run, result. */
export async function carryOut(page: Page, act: RegExp): Promise<void> {
  await checksPassed(page);
  await page.getByRole("link", { name: "View proof" }).click();
  await expect(
    page.getByRole("heading", { name: /^(Evidence|Proofs during the run)$/ }).first(),
  ).toBeVisible();
  await page.getByRole("link", { name: "View plan" }).click();
  await page.getByRole("link", { name: "Go to confirmation" }).click();
  await page.getByLabel("Reason or ticket").fill("INC-4212: a test of whole sites");
  await page.getByLabel(/^Type the link's name/).fill((await linkFacts()).name);
  await page.getByRole("button", { name: act }).click();
  await expect(page).toHaveURL(/\/runs\/r_/);
  await page.getByRole("link", { name: "View result" }).click({ timeout: patient(120_000) });
  const run = await lastRun();
  expect(`${run?.state}: ${run?.outcome}`).toMatch(/^succeeded: /);
  await expect(page.getByText("Succeeded").first()).toBeVisible();
}

/** Lose the side that accepts writes, give every attestation that is required, and fail over; the application follows. */
export async function loseAndFailOver(page: Page): Promise<Sides> {
  const { active_cluster, standby_cluster, clusters } = await linkFacts();
  const [lost, survivor] = [active_cluster.name, standby_cluster.name];
  await page.goto("/lab");
  await expect(page.getByText(`writing on ${lost}`)).toBeVisible();
  await page.getByRole("button", { name: `Take down ${lost}` }).click();
  for (const { name } of clusters.active.nodes)
    await expect(page.getByRole("row", { name })).toContainText("stopped");

  await page.goto(linkPage());
  await page.getByRole("link", { name: `Fail over to ${survivor}…` }).click();
  await page.getByRole("link", { name: /^Next: fence / }).click();
  for (const { name } of clusters.active.nodes)
    await page.getByRole("checkbox", { name: new RegExp(`^I attest that ${name} `) }).check();
  await page.getByRole("checkbox", { name: /^I accept / }).check();
  await page.getByRole("button", { name: `Check a failover to ${survivor}` }).click();
  await carryOut(
    page,
    new RegExp(`^Fail over to ${survivor}, (lose at least|no known|accept an unknown) `),
  );
  await page.goto("/lab");
  await expect(page.getByText(`writing on ${survivor}`)).toBeVisible();
  return { lost, survivor };
}

/** Start what is dead of a site, its most advanced node first. */
export async function startSite(page: Page, site: string): Promise<void> {
  await page.goto("/lab");
  await page.getByRole("button", { name: `Start ${site}` }).click();
  const { clusters, active_cluster } = await linkFacts();
  const side = active_cluster.name === site ? clusters.active : clusters.standby;
  for (const { name } of side.nodes)
    await expect(page.getByRole("row", { name })).toContainText("Synced", {
      timeout: patient(180_000),
    });
}

/** Wait until the console has fenced every node of the returned side automatically, and says when and what was written. */
export async function untilFenced(page: Page, lost: string): Promise<void> {
  const waiting = async () => {
    const { clusters, divergence } = await linkFacts();
    const fenced = divergence?.returned?.nodes.filter((node) => node.fenced_at) ?? [];
    return clusters.standby.nodes.length - fenced.length;
  };
  await expect.poll(waiting).toBe(0);
  await page.goto(linkPage());
  await expect(page.getByText(new RegExp(`^${lost} returned `))).toBeVisible();
  await expect(page.getByText(/\d+ writes? in between/)).toBeVisible();
}

/** Look for what only the lost side has; there is some: it accepted writes that were not replicated. */
export async function scanOrphans(page: Page, { lost, survivor }: Sides): Promise<void> {
  await page.goto(`${linkPage()}/orphans`);
  await page.getByRole("button", { name: /^Scan (again|for orphaned transactions)$/ }).click();
  const line = `^${lost} has \\d+ transactions? that ${survivor} never received`;
  await expect(page.getByText(new RegExp(line))).toBeVisible();
}

/** From the list of orphans to the link protected again. */
export async function reprotect(
  page: Page,
  sides: Sides,
  way: "replay" | "undo",
  onceChecked?: () => Promise<void>,
): Promise<void> {
  const { lost, survivor } = sides;
  const what = {
    replay: { plan: "Plan replay…", title: `Replay the orphaned transactions on ${survivor}` },
    undo: { plan: "Plan undo…", title: `Undo the orphaned transactions on ${lost}` },
  }[way];
  await page.getByRole("link", { name: what.plan }).click();
  await page.getByRole("link", { name: "Choose how to handle orphaned transactions" }).click();
  await expect(page.getByRole("radio", { name: what.title })).toBeChecked();
  await page.getByRole("button", { name: `Check a reprotect with ${lost}` }).click();
  await onceChecked?.();
  await carryOut(page, new RegExp(`^${what.title}, then attach`));
  await expect.poll(async () => (await linkFacts()).invalidated_cluster).toBeNull();
  await expect.poll(async () => (await linkFacts()).state).toBe("protected");
}

/** Back to the home side. */
export async function goHome(page: Page): Promise<void> {
  const { active_cluster, home_cluster } = await linkFacts();
  await choose(page, new RegExp(`^Fail back to ${home_cluster.name}…`));
  await page.getByRole("button", { name: `Check a failback to ${home_cluster.name}` }).click();
  await carryOut(
    page,
    new RegExp(`^Fail back to ${home_cluster.name}, fence ${active_cluster.name}$`),
  );
  expect((await linkFacts()).active_cluster.id).toBe(home_cluster.id);
}

/** Every acknowledged write, looked for on every node; a clean verdict or one that loses only what was given up. */
export async function verdict(page: Page, expected: RegExp): Promise<void> {
  await page.goto("/lab");
  const started = page.waitForResponse(
    (answer) => answer.request().method() === "POST" && answer.url().endsWith("/lab/verify"),
  );
  await page.getByRole("button", { name: /^Verify (all writes|again)$/ }).click();
  await started;
  // It may be over before the page has shown that it runs.
  const state = async () => {
    const answer = await page.request.get("/api/v1/lab/verify");
    return ((await answer.json()) as { state: string }).state;
  };
  await expect.poll(state, { timeout: patient(120_000) }).not.toBe("running");
  await page.reload();
  await expect(page.getByText(/^acknowledged \d+, lost \d+, doubled \d+/)).toHaveText(expected);
}
