/** A registered link changes: a node leaves and joins, an account is replaced, the link retires and its name is used again. */
import { writeFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { linkFacts, standingPair } from "./support/api";
import { demoFacts } from "./support/facts";
import { lab, sql } from "./support/lab";
import { expect, test } from "./support/test";
import { verdict } from "./support/walk";

const REASON = "CHG-2107: a test of changes";

/** The standby cluster, and one of its nodes without a channel. */
async function spare() {
  const [{ standby_cluster, clusters }, { replica_name }] = await Promise.all([
    linkFacts(),
    standingPair(),
  ]);
  const node = clusters.standby.nodes.find(({ name }) => name !== replica_name);
  if (!node) throw new Error("the standby side has no node without a channel");
  return { cluster: standby_cluster, node: node.name, holder: replica_name };
}

async function openForm(page: Page, name: RegExp): Promise<Locator> {
  await page.getByRole("main").getByRole("button", { name }).first().click();
  const form = page.getByRole("dialog");
  await expect(form).toBeVisible();
  return form;
}

async function send(page: Page, form: Locator, said: string): Promise<void> {
  await form.getByLabel("Reason").fill(REASON);
  await form.locator('button[type="submit"]').click();
  await expect(page.getByRole("status").filter({ hasText: said })).toBeVisible();
}

test("test_node__left_and_joined_again__removed_and_added", async ({ page, signInAs }) => {
  const { cluster, node } = await spare();
  await signInAs("admin");
  lab("kill", node);
  await page.goto(`/clusters/${cluster.id}`);
  const gone = await openForm(page, new RegExp(`^Remove… absent node ${node}`));
  await send(page, gone, `Node ${node} removed.`);
  await expect(page.getByRole("rowheader", { name: node })).toHaveCount(0);

  lab("start", node);
  const member = await openForm(page, /^Add… \d/);
  await member.getByLabel("Name").fill(node);
  await send(page, member, `Node ${node} added.`);
  await expect(page.getByRole("row", { name: node })).toContainText(/Synced|reachable|up/i);
});

test("test_account__replaced__the_console_logs_in_with_the_new_one", async ({ page, signInAs }) => {
  const { cluster, holder } = await spare();
  const { source_name } = await standingPair();
  sql(source_name, "CREATE USER 'hawser_monitor_2'@'%' IDENTIFIED BY 'lantern-quarry-71'");
  for (const { grant } of sql(
    source_name,
    "SELECT CONCAT('GRANT ', GROUP_CONCAT(PRIVILEGE_TYPE), ' ON *.* TO ''hawser_monitor_2''@''%''') AS `grant` " +
      "FROM information_schema.USER_PRIVILEGES WHERE GRANTEE = '''hawser_monitor''@''%'''",
  ))
    sql(source_name, String(grant));
  sql(source_name, "GRANT SELECT ON hawser.* TO 'hawser_monitor_2'@'%'");
  const arrived = () =>
    sql(holder, "SELECT User FROM mysql.user WHERE User = 'hawser_monitor_2'").length;
  await expect.poll(arrived).toBe(1);

  await signInAs("admin");
  await page.goto(`/clusters/${cluster.id}`);
  const form = await openForm(page, /^Replace… monitor account/);
  await form.getByLabel("User").fill("hawser_monitor_2");
  await form.getByLabel("Password", { exact: true }).fill("lantern-quarry-71");
  await send(page, form, `The monitor account of ${cluster.name} is replaced.`);
  const sessions = () =>
    sql(holder, "SELECT ID FROM information_schema.PROCESSLIST WHERE USER = 'hawser_monitor_2'");
  await expect.poll(() => sessions().length).toBeGreaterThan(0);
  await expect.poll(async () => (await linkFacts()).state).toBe("protected");
});

test("test_link__retired__its_name_is_used_again", async ({ page, signInAs }) => {
  const before = await linkFacts();
  await signInAs("admin");
  await page.goto(`/links/${before.id}/settings`);
  const form = await openForm(page, /^Retire link/);
  await form.getByLabel(/^Type the link's name/).fill(before.name);
  await send(page, form, `Link ${before.name} retired.`);
  await expect(page.getByText(new RegExp(`^${before.name} is retired since`))).toBeVisible();

  await page.goto("/links/new");
  await page.getByLabel("Name", { exact: true }).fill(before.name);
  for (const [label, name] of [
    ["Active cluster", before.active_cluster.name],
    ["Standby cluster", before.standby_cluster.name],
  ] as const) {
    await page.getByRole("combobox", { name: label }).click();
    await page.getByRole("option", { name: new RegExp(name) }).click();
  }
  await page.getByRole("button", { name: "Register link" }).click();
  await expect(page).toHaveURL(/\/links\/l_[a-z2-7]+$/);
  const link_id = new URL(page.url()).pathname.split("/").pop() ?? "";
  expect(link_id).not.toBe(before.id);
  // The tests after this one look at the link that has the name now.
  const facts = { ...demoFacts(), link_id };
  writeFileSync(String(process.env.HAWSER_E2E_READY_FILE), JSON.stringify(facts));
  await expect.poll(async () => (await linkFacts()).state).toBe("protected");
  await verdict(page, /doubled 0, nodes identical/);
});
