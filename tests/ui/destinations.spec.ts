/** Destinations of notifications: each service's form, a test, and what is left unsent. */
import { expect, type Page, test } from "@playwright/test";
import { violations } from "./support/axe";
import { open } from "./support/open";
import { scrollingSideways } from "./support/width";
import { CONTROLS as C } from "./texts";

const PATH = "/settings/destinations";

async function newDestination(page: Page, service: string) {
  await open(page, PATH);
  await page.getByRole("button", { name: C.addDestination }).click();
  const form = page.getByRole("region", { name: "New destination" });
  await form.getByLabel("Name").fill("night watch");
  if (service !== "E-mail") {
    await form.getByRole("combobox", { name: "Service" }).click();
    await page.getByRole("option", { name: service }).click();
  }
  return form;
}

for (const service of ["E-mail", "Slack", "Microsoft Teams", "PagerDuty", "Opsgenie"])
  test(`test_form__${service}__fits_a_phone_and_has_no_axe_violation`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const form = await newDestination(page, service);
    await expect(form.getByText(/^(Enter|Choose) /)).toBeVisible();
    expect(await violations(page)).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    expect(await scrollingSideways(page)).toEqual([]);
  });

test("test_pagerduty__added__its_own_settings_are_sent", async ({ page }) => {
  const form = await newDestination(page, "PagerDuty");
  await form.getByLabel("Integration key").fill("0123456789abcdef0123456789abcdef");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await form.getByRole("button", { name: C.addDestination }).click();
  expect((await sent).postDataJSON()).toEqual({
    name: "night watch",
    service: "pagerduty",
    link_id: null,
    kinds: [],
    min_severity: "warning",
    enabled: true,
    settings: { key: "0123456789abcdef0123456789abcdef", region: "us" },
  });
  await expect(page.getByText("Destination night watch saved.")).toBeVisible();
});

test("test_destination__opened__deliveries_and_settings_without_a_secret", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, PATH);
  await page.getByRole("button", { name: "database team", exact: true }).click();
  const deliveries = page.getByRole("region", { name: "Deliveries of database team" });
  await expect(deliveries.getByText(/SMTP 250: 1 of 2 recipients were refused/)).toBeVisible();
  const settings = page.getByRole("region", { name: "Settings of database team" });
  await expect(settings.getByLabel(/^New password/)).toHaveValue("");
  await expect(settings.getByLabel("Mail server")).toHaveValue("mail.example.net");
  expect(await violations(page)).toEqual([]);
  expect(await scrollingSideways(page)).toEqual([]);
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await settings.getByRole("button", { name: "Save database team" }).click();
  const body = (await sent).postData() ?? "";
  expect(body).toContain("mail.example.net");
  expect(body).not.toContain("password");
});

test("test_destination__tested__queued", async ({ page }) => {
  await open(page, PATH);
  await page.getByRole("button", { name: "Test on call" }).click();
  await expect(page.getByText("Test to on call queued.")).toBeVisible();
});

test("test_viewer__sees_where_it_leads__and_changes_nothing", async ({ page }) => {
  await open(page, PATH, { role: "viewer" });
  await expect(page.getByText("PagerDuty: events.eu.pagerduty.com")).toBeVisible();
  await expect(page.getByRole("button", { name: C.addDestination })).toHaveCount(0);
  await page.getByRole("button", { name: "on call", exact: true }).click();
  await expect(page.getByRole("region", { name: "Deliveries of on call" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Settings of on call" })).toHaveCount(0);
});
