/** The whole story in a browser: a link node fails, the link moves, the node returns and is cleaned. */

import { patient } from "../support/patience";
import { linkFacts, standingPair } from "./support/api";
import { demoFacts } from "./support/facts";
import { expect, test } from "./support/test";
import { checksPassed, verdict } from "./support/walk";

test.describe.configure({ mode: "serial", timeout: patient(240_000) });
test.beforeEach(async ({ signInAs }) => signInAs("operator"));

let lost = "";

test("test_relocate__link_node_killed__both_channels_move_and_nothing_is_lost", async ({
  page,
}) => {
  lost = (await standingPair()).source_name;
  await page.goto("/lab");
  await page.getByRole("button", { name: `Kill ${lost}` }).click();

  await page.goto(`/links/${demoFacts().link_id}`);
  await expect(page.getByText(`${lost} is down`).first()).toBeVisible();
  await page.getByRole("link", { name: `Relocate the link off ${lost}…` }).click();

  await expect(page.getByRole("heading", { name: "Current topology" })).toBeVisible();
  await page.getByRole("link", { name: "Choose new nodes" }).click();
  await expect(page.getByRole("radio", { name: lost })).toBeDisabled();
  await page.getByLabel("Reason or ticket").fill(`INC-4211: ${lost} lost its disk`);
  await page.getByRole("button", { name: /^Check db-/ }).click();
  await checksPassed(page);

  await page.getByRole("link", { name: "View proof" }).click();
  await expect(page.getByText(/▼ resume position/).first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "Evidence" })).toBeVisible();
  await page.getByText(/^reverse:/).click();
  await expect(page).toHaveURL(/channel=reverse/);

  await page.getByRole("link", { name: "View plan" }).click();
  await expect(page.getByText(/point of no return/).first()).toBeVisible();
  await expect(page.getByText("CHANGE MASTER").first()).toBeVisible();
  await page.getByRole("link", { name: "Go to confirmation" }).click();

  await expect(page.getByText("No data loss")).toBeVisible();
  const link = await linkFacts();
  await page.getByLabel(/^Type the link's name/).fill(link.name);
  await page.getByRole("button", { name: /^Move both channels to/ }).click();
  await expect(page).toHaveURL(/\/runs\/r_/);
  await expect(page.getByRole("log")).toContainText("CHANGE MASTER");
  await page.getByRole("link", { name: "View result" }).click({ timeout: patient(90_000) });

  await expect(page.getByText("Verified", { exact: true })).toBeVisible();
  await expect(page.getByText("arrived")).toHaveCount(2);
  await expect(page.getByText("equal", { exact: true }).first()).toBeVisible();
  const report = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download incident report" }).click();
  expect((await report).suggestedFilename()).toMatch(/\.md$/);
});

test("test_relocate__afterwards__living_nodes_history_and_verdict", async ({ page }) => {
  const link = await linkFacts();
  const standing = link.channels.filter((channel) => !channel.stray);
  expect(standing.map((channel) => channel.state)).toEqual(["running", "running"]);
  expect(standing.flatMap((channel) => [channel.source_name, channel.replica_name])).not.toContain(
    lost,
  );
  await page.goto(`/links/${link.id}`);
  const timeline = page.getByRole("list", { name: "Time line" });
  await expect(timeline.getByText(/moved the channels of/).first()).toBeVisible();
  await verdict(page, /lost 0, doubled 0, nodes identical/);
  await page.goto("/runs");
  await expect(page.getByRole("link", { name: /Move both channels/ }).first()).toBeVisible();
});

test("test_clean__lost_node_back__its_old_channel_is_forgotten", async ({ page }) => {
  await page.goto("/lab");
  await page.getByRole("button", { name: `Start ${lost}` }).click();
  await expect(page.getByRole("row", { name: new RegExp(lost) })).toContainText("Synced", {
    timeout: patient(90_000),
  });

  await page.goto(`/links/${demoFacts().link_id}`);
  await page.getByRole("link", { name: `Remove the stray channel on ${lost}…` }).click();
  await page.getByRole("button", { name: `Check stray channel on ${lost}` }).click();
  await page.getByRole("link", { name: "View plan" }).click();
  await page.getByRole("link", { name: "Go to confirmation" }).click();
  await page.getByLabel("Reason or ticket").fill(`INC-4211: ${lost} is back`);
  await page.getByLabel(/^Type the link's name/).fill((await linkFacts()).name);
  await page.getByRole("button", { name: `Remove the stray channel on ${lost}` }).click();
  await page.getByRole("link", { name: "View result" }).click({ timeout: patient(90_000) });
  await expect(page.getByText("one channel per direction")).toBeVisible();
  await expect.poll(async () => (await linkFacts()).state).toBe("protected");
  await verdict(page, /lost 0, doubled 0, nodes identical/);
});

test("test_audit__after_a_run__every_act_recorded_and_the_chain_whole", async ({ page }) => {
  await page.goto(`/audit?link=${demoFacts().link_id}`);
  await expect(page.getByText(/^Audit chain intact: .* records verified/)).toBeVisible();
  await expect(page.getByText(/run:(start|create)|run:confirm/).first()).toBeVisible();
});
