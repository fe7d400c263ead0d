/** The network of a link: commands for the hosts, a pasted result with its error, and figures that are unknown. */
import { expect, test } from "@playwright/test";
import { violations } from "./support/axe";
import { open } from "./support/open";
import { NETWORK as N } from "./texts";

test("test_network__token_created__commands_hold_it_and_a_cut_result_is_refused_at_its_field", async ({
  page,
}) => {
  await open(page, "/links/l_payments/network");
  await page.getByRole("button", { name: N.createToken }).click();
  const run = page.getByRole("region", { name: N.runCommand });
  await expect(run).toContainText(/HAWSER_PROBE_TOKEN=hawser_probe_\S+ python3 .* run --connect/);
  await expect(run).toContainText("--link l_payments");
  await page.getByLabel(N.console).fill("https://hawser.example/");
  await expect(run).toContainText(/--console https:\/\/hawser\.example$/);
  await page.getByLabel(N.output).fill('{"format": "hawser-network-probe",');
  await page.getByRole("button", { name: N.store }).click();
  await expect(page.getByText(/^path_mtu_bytes: The path MTU is missing/)).toBeVisible();
  await page.getByRole("button", { name: N.askNodes }).click();
  await expect(page.getByText("no response within 6 s")).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test("test_network__viewer__reads_the_verdict_and_is_told_what_the_role_lacks", async ({
  page,
}) => {
  await open(page, "/links/l_orders/network", { role: "viewer" });
  await expect(page.getByRole("main")).toContainText(N.notEnough);
  await expect(page.getByText(N.notYours)).toHaveCount(1);
});
