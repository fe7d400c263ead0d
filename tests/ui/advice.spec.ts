/** Advice is dismissed for a reason and opened again; the configuration shows a statement, its undo and the files. */
import { expect, test } from "@playwright/test";
import { violations } from "./support/axe";
import { open } from "./support/open";
import { CONTROLS as C } from "./texts";

test("test_advice__dismissed__is_listed_with_its_reason_and_can_be_opened_again", async ({
  page,
}) => {
  await open(page, "/clusters/c_milan/advice");
  await page.getByRole("button", { name: C.dismissSends }).click();
  await page.getByLabel("Reason").fill("Line is replaced in May");
  expect.soft(await violations(page)).toEqual([]);
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: C.dismissAdvice, exact: true }).click();
  const body: unknown = (await sent).postDataJSON();
  expect(body).toMatchObject({ subject_id: "c_milan", code: "send_window_small" });
  const dismissed = page.getByRole("region", { name: "Dismissed" });
  await expect(dismissed.getByText("Line is replaced in May")).toBeVisible();
  await dismissed.getByRole("button", { name: C.openAgain }).click();
  await page.getByRole("button", { name: C.openAdviceAgain }).click();
  await expect(dismissed).toHaveCount(0);
});

test("test_configuration__profile_chosen__address_statement_undo_and_lines", async ({ page }) => {
  await open(page, "/clusters/c_milan/configuration");
  await page.getByRole("button", { name: "Details: evs.user_send_window" }).click();
  await expect(page.getByText("evs.user_send_window=512").first()).toBeVisible();
  expect.soft(await violations(page)).toEqual([]);
  await page.getByText("one site", { exact: true }).click();
  await expect(page).toHaveURL(/profile=one_site/);
  await expect(page.getByRole("row", { name: /evs.user_send_window/ })).toHaveCount(0);
  await expect(page.getByRole("listitem").last()).toContainText("Relocate the link's channels");
});

test("test_configuration__settings_ticked__planned_and_the_checks_of_the_plan_follow", async ({
  page,
}) => {
  await open(page, "/clusters/c_milan/configuration");
  await expect(page.getByRole("button", { name: C.planChanges })).toHaveAttribute(
    "data-disabled",
    "true",
  );
  await page.getByLabel("Plan the change of evs.send_window").check();
  await page.getByLabel("Plan the change of evs.user_send_window").check();
  expect.soft(await violations(page)).toEqual([]);
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: C.planChanges }).click();
  const body: unknown = (await sent).postDataJSON();
  expect(body).toMatchObject({ kind: "configure", options: { side: "active" } });
  await expect(page).toHaveURL(/configure\/checks\?plan=/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Change settings");
});

test("test_host_settings__pasted__compared_with_statement_undo_and_lines_or_refused", async ({
  page,
}) => {
  await open(page, "/clusters/c_milan/configuration");
  const panel = page.getByRole("region", { name: "Host network settings" });
  await expect(panel.getByText("/sbin/sysctl -e net.ipv4.tcp_congestion_control")).toBeVisible();
  const text = panel.getByLabel("Output of the command");
  await text.fill("net.core.rmem_max = many");
  await panel.getByRole("button", { name: C.compareHost, exact: true }).click();
  await expect(panel.getByText("must be a number, not 'many'")).toBeVisible();
  await text.fill("net.ipv4.tcp_congestion_control = cubic");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await panel.getByRole("button", { name: C.compareHost, exact: true }).click();
  const body: unknown = (await sent).postDataJSON();
  expect(body).toEqual({ text: "net.ipv4.tcp_congestion_control = cubic", profile: "two_sites" });
  await expect(panel.getByRole("status")).toContainText("two sites: 2 settings to change");
  await panel.getByRole("button", { name: "Details: net.ipv4.tcp_congestion_control" }).click();
  await expect(panel.getByText("sysctl -w net.ipv4.tcp_congestion_control=bbr")).toBeVisible();
  await expect(
    panel.getByRole("region", { name: "lines for /etc/sysctl.d/60-hawser.conf" }),
  ).toContainText("net.ipv4.tcp_congestion_control = bbr");
  expect.soft(await violations(page)).toEqual([]);
  await page.getByText("one site", { exact: true }).click();
  await expect(panel.getByText("The profile was changed. Compare again.")).toBeVisible();
});
