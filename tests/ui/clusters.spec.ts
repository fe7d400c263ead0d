/** The page of a cluster: what it says, and each change of it. */
import { expect, test } from "@playwright/test";
import { violations } from "./support/axe";
import { expectSaved, openForm, send } from "./support/change";
import { open } from "./support/open";
import { CONTROLS as C } from "./texts";

const MILAN = "/clusters/c_milan";
const MEMBERSHIP = { scenario: "membership" };

test("test_cluster__name_and_site_changed__shown", async ({ page }) => {
  await open(page, MILAN);
  const form = await openForm(page, C.changeName);
  await form.getByLabel("Name").fill("milano");
  await send(form, "CHG-1");
  await expectSaved(page, "Cluster milano saved.");
  await expect(page.getByRole("heading", { level: 1, name: "Cluster milano" })).toBeVisible();
});

test("test_tls__mode_without_verification__asks_for_no_certificate", async ({ page }) => {
  await open(page, MILAN);
  const form = await openForm(page, C.changeTls);
  await expect(form.getByLabel(/^Certificate authority/)).toBeVisible();
  await form.getByRole("combobox", { name: "TLS" }).click();
  await page.getByRole("option", { name: "Encrypt without verification" }).click();
  await expect(form.getByLabel(/^Certificate authority/)).toHaveCount(0);
  await send(form, "CHG-1");
  await expectSaved(page, "TLS of milan saved.");
  await expect(page.getByText("Encrypt without verification")).toBeVisible();
});

test("test_account__replaced__tried_and_told", async ({ page }) => {
  await open(page, MILAN);
  const form = await openForm(page, C.replaceAccount);
  await form.getByLabel("User").fill("hawser_monitor_2");
  await form.getByLabel("Password", { exact: true }).fill("not a real one");
  await send(form, "rotation");
  await expectSaved(page, "The monitor account of milan is replaced.");
});

test("test_node__added_by_hand__in_the_table", async ({ page }) => {
  await open(page, MILAN);
  const form = await openForm(page, C.addNode);
  await form.getByLabel("Name").fill("db-a4");
  await form.getByLabel("Host").fill("127.0.1.4");
  await send(form, "CHG-1");
  await expectSaved(page, "Node db-a4 added.");
  await expect(page.getByRole("rowheader", { name: "db-a4" })).toBeVisible();
});

test("test_node__renamed_and_moved__in_the_table", async ({ page }) => {
  await open(page, MILAN);
  const form = await openForm(page, C.changeNode);
  await expect(form.getByLabel("Host")).toHaveValue("127.0.1.1");
  await form.getByLabel("Name").fill("db-a9");
  await form.getByLabel("Port").fill("3310");
  await send(form, "CHG-1");
  await expectSaved(page, "Node db-a9 saved.");
  await expect(page.getByRole("cell", { name: "127.0.1.1:3310" })).toBeVisible();
});

test("test_member__not_registered__added_with_one_click_and_a_reason", async ({ page }) => {
  await open(page, MILAN, MEMBERSHIP);
  const form = await openForm(page, C.addMember);
  await expect(form.getByLabel("Name")).toHaveValue("db-a4");
  await expect(form.getByLabel("Host")).toHaveValue("127.0.1.4");
  await send(form, "CHG-1");
  await expectSaved(page, "Node db-a4 added.");
  await expect(page.getByRole("button", { name: C.addMember })).toHaveCount(0);
});

test("test_member__absent__removed", async ({ page }) => {
  await open(page, MILAN, MEMBERSHIP);
  await send(await openForm(page, C.removeAbsent), "CHG-1");
  await expectSaved(page, "Node db-a3 removed.");
  await expect(page.getByRole("rowheader", { name: "db-a3" })).toHaveCount(0);
});

test("test_member__replaced_server__both_shown_and_confirmed_by_an_operator", async ({ page }) => {
  await open(page, MILAN, { ...MEMBERSHIP, role: "operator" });
  const form = await openForm(page, C.confirmServer);
  await expect(form.getByText(/server_id 22, server UUID 41f9a3c2/)).toBeVisible();
  await expect(form.getByText("server_id 52, server UUID unknown")).toBeVisible();
  await send(form, "new machine, CHG-1");
  await expectSaved(page, "The new server of db-a2 is recorded.");
  await expect(page.getByRole("button", { name: C.confirmServer })).toHaveCount(0);
});

test("test_members__unknown__said_as_unknown_and_nothing_offered", async ({ page }) => {
  await open(page, "/clusters/c_frankfurt", MEMBERSHIP);
  await expect(page.getByText(/^No registered node tells which members/)).toBeVisible();
  await expect(page.getByText(/own count: unknown/)).toBeVisible();
  await expect(page.getByText(/agree/)).toHaveCount(0);
  await open(page, "/clusters/c_zurich", MEMBERSHIP);
  await expect(page.getByText(/Which registered nodes left the cluster is unknown/)).toBeVisible();
  await expect(page.getByText(/counts 1 more member without an address/)).toBeVisible();
});

test("test_history__lost_side_is_back__leads_to_the_reprotect", async ({ page }) => {
  await open(page, MILAN, { scenario: "returned" });
  await expect(page.getByRole("button", { name: C.replaceCluster })).toHaveCount(0);
  await page.getByRole("link", { name: "Reprotect payments" }).click();
  await expect(page).toHaveURL(/l_payments\/reprotect\/situation/);
});

test("test_history__same_data__leads_to_the_plan_that_accepts_it", async ({ page }) => {
  await open(page, MILAN, { scenario: "rebuilt" });
  await page.getByRole("link", { name: "Accept the state UUID for payments" }).click();
  await expect(page).toHaveURL(/l_payments\/accept_state_uuid\/situation/);
});

test("test_history__new_cluster__link_retired_and_new_page", async ({ page }) => {
  await open(page, MILAN, { scenario: "rebuilt" });
  const form = await openForm(page, C.replaceCluster);
  await expect(form.getByText(/Retired: link payments/)).toBeVisible();
  await expect(form.getByText(/history of milan with state UUID .* is closed/)).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await form.getByLabel(/^Type the cluster's name/).fill("milan");
  await send(form, "rebuilt after the fire");
  await expect(page).toHaveURL(/clusters\/c_milan_2$/);
});

test("test_retire__no_link__needs_the_name_and_leaves_no_action", async ({ page }) => {
  await open(page, "/clusters/c_zurich");
  const form = await openForm(page, C.retireCluster);
  await form.getByLabel("Reason").fill("gone");
  await expect(form.getByRole("button", { name: /^Retire zurich/ })).toBeDisabled();
  await form.getByLabel(/^Type the cluster's name/).fill("zurich");
  await form.getByRole("button", { name: "Retire zurich" }).click();
  await expectSaved(page, "Cluster zurich retired.");
  await expect(page.getByText(/^zurich is retired since/)).toBeVisible();
  await expect(page.getByRole("main").getByRole("button", { name: /…/ })).toHaveCount(0);
});

test("test_clusters__name_of_a_cluster__opens_its_page", async ({ page }) => {
  await open(page, "/clusters");
  await page.getByRole("main").getByRole("link", { name: "milan", exact: true }).click();
  await expect(page).toHaveURL(/clusters\/c_milan$/);
});

test("test_acceptance__untried_servers__accepted_in_writing_shown_to_all_and_withdrawn", async ({
  page,
}) => {
  await open(page, MILAN, { scenario: "untried" });
  const form = await openForm(page, C.acceptPlans);
  await form.getByLabel(/^Type the cluster's name/).fill("milan");
  await form.getByLabel(/^What you accept, and on/).fill("too short");
  await expect(form.getByText(/^Write at least 20 characters/)).toBeVisible();
  await form
    .getByLabel(/^What you accept, and on/)
    .fill("Read each statement, tried it in staging.");
  expect(await violations(page)).toEqual([]);
  await form.locator('button[type="submit"]').click();
  await expectSaved(page, /^Plans with Percona XtraDB Cluster 8.0 are accepted/);
  await expect(page.getByText(/“Read each statement, tried it in staging.”/)).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.goto("/clusters?node=n_a1");
  await expect(page.getByText("not tried, accepted")).toHaveCount(3);
  await expect(page.getByText(/^An administrator accepted plans with it/)).toBeVisible();
  await page.goto(MILAN);
  await send(await openForm(page, C.withdrawAcceptance), "staging differs");
  await expectSaved(page, /is withdrawn\.$/);
  await expect(page.getByRole("button", { name: C.acceptPlans })).toBeVisible();
});
