/** Changes that the server refuses: each reason at its place, and nothing that was typed is lost. */
import { expect, type Locator, test } from "@playwright/test";
import { violations } from "./support/axe";
import { expectSaved, openForm, send } from "./support/change";
import { open } from "./support/open";
import { CONTROLS as C } from "./texts";

const MILAN = "/clusters/c_milan";
const ORDERS = "/links/l_orders/settings";
const NARROW = { width: 390, height: 844 };

type Fill = (form: Locator) => Promise<void>;

const account: Fill = async (form) => {
  await form.getByLabel("User").fill("hawser_2");
};
const node: Fill = async (form) => {
  await form.getByLabel("Name").fill("db-a4");
  await form.getByLabel("Host").fill("127.0.1.4");
};
const nothing: Fill = () => Promise.resolve();
const cluster: Fill = (form) => form.getByLabel(/^Type the cluster's name/).fill("milan");

/** Refusals without a field: the form says them with their code. */
const AS_A_WHOLE: [code: string, path: string, button: RegExp, fill: Fill, scenario?: string][] = [
  ...["node_carries_channel", "node_is_member", "membership_unknown", "node_in_plan"].map(
    (code): [string, string, RegExp, Fill] => [code, MILAN, C.removeNode, nothing],
  ),
  ...["node_last", "node_only_live"].map((code): [string, string, RegExp, Fill] => [
    code,
    MILAN,
    C.removeNode,
    nothing,
  ]),
  ["not_one_cluster", MILAN, C.addNode, node],
  ["too_many_nodes", MILAN, C.addNode, node],
  ["another_server", MILAN, C.changeNode, nothing],
  ["another_server", MILAN, C.confirmServer, nothing, "membership"],
  ["run_unfinished", MILAN, C.changeName, nothing],
  ["retired", MILAN, C.changeName, nothing],
  ["state_uuid_differs", MILAN, C.replaceCluster, cluster, "rebuilt"],
  ["reprotect_first", MILAN, C.replaceCluster, cluster, "rebuilt"],
  ["retire_link_first", MILAN, C.replaceCluster, cluster, "rebuilt"],
  ["run_unfinished", ORDERS, C.renameLink, nothing],
];

for (const [code, path, button, fill, scenario] of AS_A_WHOLE)
  test(`test_refused__${code}_by_${button.source}__told_in_the_form`, async ({ page }) => {
    await open(page, path, { scenario: scenario ?? "everything" });
    const form = await openForm(page, button);
    await fill(form);
    await send(form, code);
    await expect(form.getByRole("alert").filter({ hasText: code })).toBeVisible();
    await expect(form.getByLabel("Reason")).toHaveValue(code);
  });

const AT_A_FIELD: [reason: string, path: string, button: RegExp, label: string, fill: Fill][] = [
  ["address_taken", MILAN, C.addNode, "Host", node],
  ["stored_passwords_needed", MILAN, C.addNode, "Monitor password", node],
  ["address_refused", MILAN, C.changeNode, "Host", nothing],
  ["node_exists", MILAN, C.changeNode, "Name", nothing],
  ["cluster_exists", MILAN, C.changeName, "Name", nothing],
  ["trial_failed", MILAN, C.replaceAccount, "Password", account],
  ["tls_trial_failed", MILAN, C.changeTls, "TLS", nothing],
  ["link_exists", ORDERS, C.renameLink, "Name", nothing],
];

for (const [reason, path, button, label, fill] of AT_A_FIELD)
  test(`test_refused__${reason}_by_${button.source}__at_its_field`, async ({ page }) => {
    await open(page, path);
    const form = await openForm(page, button);
    await fill(form);
    await send(form, reason);
    const field = form.locator("input").and(form.getByLabel(label));
    await expect(field.first()).toHaveAccessibleDescription(/Nothing was changed|not allowed/);
    await expect(form.getByRole("alert")).toHaveCount(0);
  });

test("test_passwords__address_or_authority_changes__asked_for_again", async ({ page }) => {
  await open(page, MILAN);
  const moved = await openForm(page, C.changeNode);
  await expect(moved.getByLabel("Operator password")).toHaveCount(0);
  await moved.getByLabel("Host").fill("127.0.1.9");
  await moved.getByLabel("Operator password").fill("of-the-operator");
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await send(moved, "new network");
  expect((await sent).postDataJSON()).toMatchObject({ passwords: { operator: "of-the-operator" } });
  await page.keyboard.press("Escape");
  await open(page, MILAN);
  const tls = await openForm(page, C.changeTls);
  await expect(tls.getByLabel("Operator password")).toHaveCount(0);
  await tls.getByLabel("Certificate authority (PEM)").fill("-----BEGIN CERTIFICATE-----");
  await expect(tls.getByLabel("Operator password")).toBeVisible();
  await expect(tls.getByText(/another server could pass for these nodes/)).toBeVisible();
  await expect(tls.getByText(/send logins elsewhere/)).toHaveCount(0);
});

test("test_refused__run_or_plan_in_the_way__linked", async ({ page }) => {
  await open(page, MILAN);
  const form = await openForm(page, C.removeNode);
  await send(form, "node_in_plan");
  await expect(form.getByRole("link", { name: "View plan" })).toHaveAttribute("href", /p_ready/);
  await send(form, "run_unfinished");
  await form.getByRole("link", { name: "View run" }).click();
  await expect(page).toHaveURL(/runs\/r_needs_operator/);
});

test("test_not_tried__node_unreachable__saved_only_after_the_user_accepts", async ({ page }) => {
  await open(page, MILAN);
  const form = await openForm(page, C.replaceAccount);
  const accept = form.getByRole("checkbox", { name: /^Save without a try/ });
  await account(form);
  await expect(accept).toHaveCount(0);
  await send(form, "nodes_not_tried");
  await expect(form.getByRole("alert").filter({ hasText: "nodes_not_tried" })).toBeVisible();
  await accept.check();
  expect(await violations(page)).toEqual([]);
  await send(form, "nodes_not_tried");
  await expectSaved(page, "The monitor account of milan is replaced.");
});

test("test_cleanup_due__server_gone__removed_only_with_the_attestation", async ({ page }) => {
  await open(page, MILAN);
  const form = await openForm(page, C.removeNode);
  const attest = form.getByRole("checkbox", { name: /^I attest/ });
  await expect(attest).toHaveCount(0);
  await send(form, "node_cleanup_due");
  await attest.check();
  await send(form, "node_cleanup_due");
  await expectSaved(page, "Node db-a3 removed.");
});

for (const [answer, name] of [
  ["Keep my input", "db-a9"],
  ["Load current values", "db-a1"],
] as const)
  test(`test_changed_meanwhile__${answer}__saved_with_${name}`, async ({ page }) => {
    await open(page, MILAN);
    const form = await openForm(page, C.changeNode);
    await form.getByLabel("Name").fill("db-a9");
    await send(form, "version_changed");
    const alert = form.getByRole("alert");
    await expect(alert).toContainText("Another user changed this in the meantime");
    await expect(form.getByLabel("Name")).toHaveValue("db-a9");
    expect(await violations(page)).toEqual([]);
    await alert.getByRole("button", { name: answer }).click();
    await expect(alert).toHaveCount(0);
    await expect(form.getByLabel("Name")).toHaveValue(name);
    await expect(form.getByLabel("Reason")).toHaveValue("version_changed");
    await send(form, "version_changed");
    await expectSaved(page, `Node ${name} saved.`);
    const port = name === "db-a1" ? 3307 : 3306;
    await expect(page.getByRole("cell", { name: `127.0.1.1:${port}` })).toBeVisible();
  });

test("test_changed_meanwhile__seen_by_the_page_before_it_is_sent__refused_all_the_same", async ({
  page,
  request,
}) => {
  await open(page, ORDERS);
  const form = await openForm(page, C.renameLink);
  await form.getByLabel("Name").fill("mine");
  const Cookie = (await page.context().cookies()).map((c) => `${c.name}=${c.value}`).join("; ");
  const answer = await request.patch("/api/v1/links/l_orders", {
    headers: { "If-Match": '"1"', Cookie },
    data: { name: "theirs", reason: "faster" },
  });
  expect(answer.status()).toBe(200);
  await expect(page.getByRole("heading", { level: 1, includeHidden: true })).toHaveText(/theirs/);
  await send(form, "slower");
  await expect(form.getByRole("alert")).toContainText("you read version 1, it is version 2");
  await expect(form.getByLabel("Name")).toHaveValue("mine");
});

test("test_form__390_wide__fits", async ({ page }) => {
  await page.setViewportSize(NARROW);
  await open(page, MILAN);
  const form = await openForm(page, C.changeNode);
  await send(form, "node_carries_channel");
  await expect(form.getByRole("alert")).toBeVisible();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(NARROW.width);
});
