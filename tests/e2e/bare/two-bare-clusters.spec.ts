/** With the README alone: two bare clusters registered, linked, relocated, failed over and failed back in the browser. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { patient } from "../../support/patience";
import { linkFacts, standingPair } from "../support/api";
import { administrator, demoFacts, nameTheLink } from "../support/facts";
import { lab } from "../support/lab";
import { picture } from "../support/picture";
import { expect, test } from "../support/test";
import {
  carryOut,
  goHome,
  linkPage,
  loseAndFailOver,
  reprotect,
  scanOrphans,
  startSite,
  untilFenced,
  verdict,
} from "../support/walk";

test.describe.configure({ mode: "serial", timeout: patient(420_000) });

/** The tour of the demo is offered once the link exists; on clusters of one's own there is none. */
test.beforeEach(async ({ page }) => {
  const tour = page.getByRole("complementary", { name: "Tour of the demo" });
  await page.addLocatorHandler(tour, () =>
    tour.getByRole("button", { name: "No, thanks" }).click(),
  );
});

const CLUSTERS = [
  { name: "milan", site: "Milan" },
  { name: "frankfurt", site: "Frankfurt" },
] as const;

/** One cluster of the guide: a host name and an administrator's account are all that is known of it. */
async function setUp(page: Page, index: 0 | 1): Promise<void> {
  const { nodes, user, password, ca } = administrator();
  const { name, site } = CLUSTERS[index];
  await page.getByLabel("Host", { exact: true }).fill(nodes[index]?.host ?? "");
  await page.getByLabel("Administrator’s user").fill(user);
  await page.getByRole("textbox", { name: "Administrator’s password" }).first().fill(password);
  await page.getByLabel("Cluster name").fill(name);
  await page.getByLabel("Site", { exact: true }).fill(site);
  await page.getByRole("button", { name: "Discover the cluster" }).click();
  await expect(page.getByText(/Encrypt without verification \(proposed\)/)).toBeVisible();
  await page.getByLabel("Certificate authority (PEM)").fill(readFileSync(ca, "utf8"));
  await page.getByRole("button", { name: "Discover again" }).click();
  await expect(page.getByText(/Verify certificate and host name \(proposed\)/)).toBeVisible();
  if (index === 0) await picture(page, "members");
  await page.getByLabel(/^I have read these/).check();
  await page.getByRole("button", { name: "Create the accounts" }).click();
  await expect(page.getByText(/^The three accounts exist\./)).toBeVisible();
  await page.getByRole("button", { name: "Check privileges and settings" }).click();
  await expect(page.getByText(/more passed/)).toBeVisible();
}

/** A plan is refused for want of privileges: an administrator runs the statements that the page shows for each node. */
async function grantAsShown(page: Page, name?: "grants"): Promise<void> {
  const blockers = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("region", { name: "the remedy" }) });
  await expect(blockers).toHaveCount(2);
  if (name) await picture(page, name);
  for (const blocker of await blockers.all()) {
    const node = /db-[ab]\d/.exec(await blocker.innerText())?.[0] ?? "";
    const shown = await blocker.getByRole("region", { name: "the remedy" }).innerText();
    for (const statement of shown.split(";").filter((text) => text.trim()))
      lab("sql", node, statement.trim());
  }
}

test("test_register__one_host_name_each__both_clusters_and_the_link", async ({
  page,
  signInAs,
}) => {
  await signInAs("admin");
  await page
    .getByRole("main")
    .getByRole("link", { name: /^Register two clusters/ })
    .click();
  await page.getByRole("button", { name: "Start guided registration" }).click();
  await setUp(page, 0);
  await page.getByRole("link", { name: /^Next: second cluster/ }).click();
  await setUp(page, 1);
  await page.getByRole("link", { name: /^Next: link/ }).click();
  await expect(page.getByText(/^The clusters are not linked/)).toBeVisible();
  await page.getByLabel("Link name").fill("payments");
  await page.getByLabel("milan", { exact: true }).check();
  await picture(page, "not-linked");
  await page.getByRole("link", { name: /^Next: review/ }).click();
  await page.getByLabel("Register although these points are open").check();
  await page.getByRole("button", { name: "Register both clusters and the link" }).click();
  await expect(page.getByText(/^payments is registered\./)).toBeVisible();
  await nameTheLink();
});

test("test_create_channels__grants_missing__named_then_granted_and_linked", async ({
  page,
  signInAs,
}) => {
  await signInAs("admin");
  await page.goto(linkPage());
  await page
    .getByRole("link", { name: /^Create the channels/ })
    .first()
    .click();
  await page.getByRole("link", { name: "Choose what the standby side holds" }).click();
  await page.getByRole("button", { name: "Check both sides" }).click();
  await grantAsShown(page, "grants");
  await carryOut(page, /^Create the channels/);
  await picture(page, "created");
  await expect.poll(async () => (await linkFacts()).state).toBe("protected");
});

test("test_rehearsal__first__passed", async ({ page, signInAs }) => {
  await signInAs("operator");
  await page.goto(linkPage());
  await expect(page.getByText("milan (active) ⇄ frankfurt (standby)")).toBeVisible();
  await picture(page, "protected");
  await page.getByRole("link", { name: "Rehearsals", exact: true }).click();
  await page.getByRole("button", { name: "Rehearse relocate now" }).click();
  await expect(
    page
      .getByRole("row", { name: /^Relocate/ })
      .getByText("passed")
      .first(),
  ).toBeVisible();
});

test("test_relocate__link_node_killed__both_channels_move", async ({ page, signInAs }) => {
  await signInAs("operator");
  const lost = (await standingPair()).source_name;
  lab("kill", lost);
  await page.goto(linkPage());
  await page.getByRole("link", { name: `Relocate the link off ${lost}…` }).click();
  await page.getByRole("link", { name: "Choose new nodes" }).click();
  await page.getByRole("button", { name: /^Check db-/ }).click();
  await carryOut(page, /^Move both channels to/);
  await picture(page, "relocated");
  lab("start", lost);
  await page.goto(linkPage());
  await page.getByRole("link", { name: `Remove the stray channel on ${lost}…` }).click();
  await page.getByRole("button", { name: `Check stray channel on ${lost}` }).click();
  await page.getByRole("link", { name: "View plan" }).click();
  await page.getByRole("link", { name: "Go to confirmation" }).click();
  await page.getByLabel("Reason or ticket").fill(`${lost} is back`);
  await page.getByLabel(/^Type the link's name/).fill("payments");
  await page.getByRole("button", { name: `Remove the stray channel on ${lost}` }).click();
  await expect.poll(async () => (await linkFacts()).state).toBe("protected");
});

test("test_failover_and_failback__site_lost__home_again", async ({ page, signInAs }) => {
  await signInAs("operator");
  const sides = await loseAndFailOver(page);
  await page.goto(linkPage());
  await expect(page.getByRole("heading", { name: `${sides.lost} is invalidated` })).toBeVisible();
  await picture(page, "failed-over");
  await startSite(page, sides.lost);
  await untilFenced(page, sides.lost);
  await scanOrphans(page, sides);
  await picture(page, "orphans");
  await reprotect(page, sides, "replay", () => grantAsShown(page));
  await goHome(page);
  await verdict(page, /lost 0, doubled 0, nodes identical/);
  await picture(page, "verdict");
  expect(demoFacts().link_id).toBe((await linkFacts()).id);
});
