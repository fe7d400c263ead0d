/** Measurements that write: asked for by name, shown beside the model, and refused in words. */
import { expect, test } from "@playwright/test";
import { violations } from "./support/axe";
import { open } from "./support/open";
import { CALIBRATION as C } from "./texts";

test("test_calibration__confirmed__measured_beside_the_model_and_a_heartbeat_is_refused_in_words", async ({
  page,
}) => {
  await open(page, "/concurrency");
  await page.getByRole("button", { name: C.calibrate }).click();
  const form = page.getByRole("dialog");
  await form.getByRole("button", { name: C.write }).click();
  await expect(form.getByText(C.typeName)).toBeVisible();
  await form.getByLabel(C.name).fill("milan");
  await form.getByLabel(C.reason).fill("CHG-2304");
  await form.getByRole("button", { name: C.write }).click();
  const table = page.getByRole("table", { name: C.table });
  await expect(table.getByRole("row", { name: /^4 .*75\.2 \/s .*13\.4 % faster/ })).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await open(page, "/links/l_orders/network");
  await expect(page.getByText(C.never)).toBeVisible();
  await page.getByRole("button", { name: C.heartbeat }).click();
  await form.getByLabel(C.name).fill("orders");
  await form.getByLabel(C.reason).fill("CHG-2304");
  await form.getByRole("button", { name: C.write }).click();
  await expect(form.getByText(C.noSchema)).toBeVisible();
});
