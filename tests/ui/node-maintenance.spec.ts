/** Times away, the forecast of an SST, and commits over a distance. */
import { expect, test } from "@playwright/test";
import { violations } from "./support/axe";
import { open } from "./support/open";

test("test_sst__size_and_line_given__a_time_and_an_absurd_size_at_its_field", async ({ page }) => {
  await open(page, "/clusters/c_milan/maintenance");
  const forecast = page.getByRole("table", { name: /^SST forecast/ });
  await expect(forecast.getByText("at least 10 s").first()).toBeVisible();
  await page.getByLabel("Data, GB").fill("0");
  await page.getByRole("button", { name: "Forecast" }).click();
  await expect(page.getByText(/^Give data_bytes as a number/)).toBeVisible();
  await page.getByLabel("Data, GB").fill("1");
  await page.getByLabel("Line, Mbit/s").fill("200");
  await page.getByRole("button", { name: "Forecast" }).click();
  await expect(forecast.getByText("2 min 51 s").first()).toBeVisible();
  await page.getByRole("button", { name: /SST to db-a3/ }).click();
  await expect(page.getByText(/^Advised donor: db-a2/)).toBeVisible();
  await page.getByRole("button", { name: /db-a3/ }).first().click();
  await expect(page.getByRole("table", { name: "Donors for db-a3" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test("test_concurrency__a_third_site__one_and_a_half_round_trips", async ({ page }) => {
  await open(page, "/concurrency");
  await page.getByRole("button", { name: "Add site" }).click();
  await page.getByRole("button", { name: "Compute" }).click();
  await expect(page.getByText("1 → 2 → 3 → 1")).toBeVisible();
  await page.getByText("100 ms", { exact: true }).click();
  await expect(page.getByRole("img", { name: /at 100 ms$/ })).toBeVisible();
});

test("test_node_maintenance__one_is_open__its_progress_its_end_and_the_way_to_another", async ({
  page,
}) => {
  await open(page, "/clusters/c_milan/maintenance");
  await expect(page.getByText("db-a3 is away. Start it again when you are done.")).toBeVisible();
  await expect(page.getByText("7 min 58 s", { exact: true }).first()).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "End maintenance…" }).click();
  await page.getByLabel("Reason").fill("postponed");
  await page.getByRole("button", { name: "End maintenance", exact: true }).click();
  await expect(page.getByText("ended by a person")).toBeVisible();
  await page.getByRole("button", { name: /db-a2/ }).first().click();
  await page
    .getByRole("link", { name: /^Prepare maintenance.* db-a2$/ })
    .first()
    .click();
  await expect(page.getByRole("combobox", { name: "Node to stop" })).toHaveValue("db-a2");
  await page.getByLabel("Minutes at most").fill("2");
  await expect(page.getByText("Give whole minutes from 5 to 1440.").first()).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test("test_concurrency__read_from_a_cluster__fills_the_form_and_unknown_keeps_it", async ({
  page,
}) => {
  await open(page, "/clusters/c_milan/maintenance");
  await page.getByRole("link", { name: "Distance" }).click();
  await page.getByLabel("Wanted commits/s").fill("7");
  const read = page.getByRole("button", { name: "Read from the cluster" });
  await read.click();
  await expect(page.getByText(/^two sites 25 ms apart one way/)).toBeVisible();
  await expect(page.getByLabel("Wanted commits/s")).toHaveValue("42.4");
  await expect(page.getByRole("table", { name: /by the number of writers$/ })).toBeVisible();
  await expect(page.getByText(/Read again while it writes/).first()).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel("Cluster", { exact: true }).selectOption("frankfurt");
  await read.click();
  await expect(page.getByText(/^nothing: no figure is known/)).toBeVisible();
  await expect(page.getByLabel("Wanted commits/s")).toHaveValue("42.4");
});
