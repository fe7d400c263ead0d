/** Links that an operator has to know more of, and what the pages offer about them. */
import { expect, test } from "@playwright/test";
import { violations } from "./support/axe";
import { open } from "./support/open";
import { UNSOUND as U } from "./texts";

const PAYMENTS = "/links/l_payments";

test("test_link__side_is_split__drawing_and_first_panel_say_so", async ({ page }) => {
  await open(page, PAYMENTS, { scenario: "split" });
  await page.setViewportSize({ width: 390, height: 844 });
  const findings = page.getByRole("region", { name: U.findings });
  await expect(findings).toContainText(U.halves);
  const of = async (name: string) =>
    (await page.getByRole("region", { name }).boundingBox())?.y ?? Number.NaN;
  expect(await of(U.findings)).toBeLessThan(await of(U.topology));
  await expect(page.getByRole("region", { name: U.topology })).toContainText(U.split);
});

test("test_link__standby_half_fenced__fenced_from_the_offered_button", async ({ page }) => {
  await open(page, PAYMENTS, { scenario: "half-fenced" });
  await expect(page.getByRole("link", { name: U.viewRun })).toBeVisible();
  await page.getByRole("link", { name: U.fence }).click();
  await page.getByRole("button", { name: U.checkFence }).click();
  await expect(page.getByText(U.staysFenced)).toBeVisible();
  await page.getByRole("link", { name: U.viewPlan }).click();
  await expect(page.getByText(U.noReturn)).toBeVisible();
});

test("test_channels__both_stopped__either_can_be_started_alone", async ({ page }) => {
  await open(page, `${PAYMENTS}/start_channel/situation`, { scenario: "both-stopped" });
  await expect(page.getByRole("button", { name: U.checkBoth })).toBeVisible();
  const asked = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: U.checkAlone }).click();
  expect((await asked).postDataJSON()).toMatchObject({ options: { direction: "reverse" } });
});

test("test_origins__unknown_way__can_be_attested", async ({ page }) => {
  await open(page, `${PAYMENTS}/relocate/checks?plan=p_origins`, { scenario: "foreign-origins" });
  await page.getByRole("checkbox", { name: U.attestOrigins }).check();
  const asked = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: U.attest }).click();
  expect((await asked).postDataJSON()).toMatchObject({ options: { attest_origins: true } });
});

test("test_failover__events__can_be_left", async ({ page }) => {
  await open(page, `${PAYMENTS}/failover/target`, { scenario: "site-lost" });
  await page.getByRole("checkbox", { name: U.leaveEvents }).check();
  const asked = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: U.checkFailover }).click();
  expect((await asked).postDataJSON()).toMatchObject({ options: { events: "leave" } });
});

test("test_unaccounted__found__looked_up_and_settled_for_a_reason", async ({ page }) => {
  await open(page, PAYMENTS, { scenario: "unaccounted" });
  const section = page.getByRole("region", { name: U.unaccounted });
  await page.getByRole("link", { name: U.viewTransactions }).first().click();
  await expect(page).toHaveURL(/#unaccounted$/);
  await expect(section).toBeInViewport();
  await section.getByRole("link", { name: U.lookUp }).first().click();
  await expect(page).toHaveURL(/\/lookup\?.*884120911/);
  await page.goBack();
  await section.getByRole("button", { name: U.selectAll }).click();
  await section.getByRole("button", { name: U.settle }).click();
  const form = page.getByRole("dialog");
  expect.soft(await violations(page)).toEqual([]);
  const submit = form.getByRole("button", { name: U.settleAll });
  await form.getByLabel("Reason").fill("fail-409");
  await submit.click();
  await expect(form.getByRole("alert")).toBeVisible();
  await form.getByLabel("Reason").fill("rows brought in");
  await submit.click();
  await expect(page.getByText(U.settledWay)).toBeVisible();
  await expect(section).toHaveCount(0);
  await expect(page.getByText(U.onBothSides)).toBeVisible();
});

for (const width of [1280, 390])
  test(`test_proof__${width}_wide__a_band_and_its_gaps_with_reasons`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await open(page, PAYMENTS, { role: "viewer" });
    const panel = page.getByRole("region", { name: U.standingProof });
    await expect(panel.getByRole("img", { name: U.proofBand })).toBeVisible();
    await panel.getByText(U.proofGaps).click();
    const gaps = panel.getByRole("table", { name: U.gapsOfProof });
    await expect(gaps.getByText(U.nobodyLooked)).toBeVisible();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(width);
    expect(await violations(page)).toEqual([]);
  });

test("test_unaccounted__viewer__reads_and_settles_nothing", async ({ page }) => {
  await open(page, PAYMENTS, { scenario: "unaccounted", role: "viewer" });
  const section = page.getByRole("region", { name: U.unaccounted });
  await expect(section.getByRole("row")).toHaveCount(4);
  await expect(section.getByRole("checkbox")).toHaveCount(0);
  await expect(section.getByRole("link")).toHaveCount(0);
});

test("test_unsafe_setting__that_is_over__settled_for_a_reason", async ({ page }) => {
  await open(page, PAYMENTS, { scenario: "unsafe-settings" });
  const section = page.getByRole("region", { name: U.unsafeSettings });
  await page.getByRole("link", { name: U.viewSettings }).click();
  await expect(section).toBeInViewport();
  await section.getByRole("checkbox").check();
  await section.getByRole("button", { name: U.settle }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("tables compared");
  await page.getByRole("dialog").getByRole("button", { name: U.settleSetting }).click();
  await expect(section.getByRole("row")).toHaveCount(2);
  await expect(section.getByRole("checkbox")).toHaveCount(0);
});
