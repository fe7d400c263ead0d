/** Failures that a person meets while acting, and lists with more than one page. */
import { expect, test } from "@playwright/test";
import { violations } from "./support/axe";
import { headingOf, open } from "./support/open";
import { CONTROLS as C, HEADINGS as H, TEXTS } from "./texts";

const REFUSED = [
  ["wrong", TEXTS.wrongPassword],
  ["busy", TEXTS.retryIn],
  ["guess", TEXTS.retryIn],
] as const;

for (const [password, told] of REFUSED)
  test(`test_sign_in__password_${password}__refused_and_told`, async ({ page }) => {
    await open(page, "/sign-in", { role: "none" });
    await page.getByRole("textbox", { name: C.name }).fill("olaf");
    await page.getByLabel(C.password, { exact: true }).fill(password);
    await page.getByRole("button", { name: C.signIn, exact: true }).click();
    await expect(page.getByRole("main").getByText(told).last()).toBeVisible();
    await expect(page).toHaveURL(/sign-in/);
  });

test("test_sign_in__from_a_page__comes_back_to_it", async ({ page }) => {
  await open(page, "/runs?state=failed", { role: "none" });
  await page.getByRole("textbox", { name: C.name }).fill("olaf");
  await page.getByLabel(C.password, { exact: true }).fill("right");
  await page.getByRole("button", { name: C.signIn, exact: true }).click();
  await expect(page).toHaveURL(/\/runs\?state=failed/);
  await expect(headingOf(page, H.runs)).toBeFocused();
});

test("test_plan__no_such_link__told_with_the_code", async ({ page }) => {
  for (const [id, code] of [
    ["l_nowhere", "not_found"],
    ["fail-500", "internal_error"],
    ["fail-429", "too_many_calls"],
  ] as const) {
    await open(page, `/links/${id}`);
    await expect(page.getByRole("alert").filter({ hasText: code })).toBeVisible();
  }
});

test("test_confirm__wrong_name__refused_at_the_field", async ({ page }) => {
  await open(page, "/plans/p_ready/confirm", { role: "operator" });
  await page.getByRole("textbox", { name: C.reason }).fill("INC-4211");
  await page.getByRole("textbox", { name: C.confirmation }).fill("payment");
  await page.getByRole("button", { name: C.start }).click();
  await expect(page.getByRole("textbox", { name: C.confirmation })).toHaveAttribute(
    "aria-invalid",
    "true",
  );
  await expect(page).toHaveURL(/confirm$/);
});

test("test_confirm__server_refuses__told_with_the_code", async ({ page }) => {
  await open(page, "/plans/p_ready/confirm", { role: "operator" });
  await page.getByRole("textbox", { name: C.reason }).fill("fail-409");
  await page.getByRole("textbox", { name: C.confirmation }).fill("payments");
  await page.getByRole("button", { name: C.start }).click();
  await expect(page.getByRole("alert").filter({ hasText: "wrong_state" })).toBeVisible();
});

/** Lists with a second page. */
const LONG_LISTS = [
  "/audit",
  "/runs",
  "/links/l_ledger/orphans",
  "/links/l_orders/rehearsals",
  "/links/l_orders/settings?hook=k_1",
];

for (const path of LONG_LISTS)
  test(`test_more__${path}__shows_further_rows`, async ({ page }) => {
    await open(page, path);
    const more = page.getByRole("main").getByRole("button", { name: C.loadMore });
    await expect(more).toBeVisible();
    const rows = page.getByRole("main").locator("tr, li");
    const before = await rows.count();
    await more.click();
    await expect.poll(() => rows.count()).toBeGreaterThan(before);
  });

test("test_refused_plan__each_refusal_explained__and_no_runbook_offered", async ({ page }) => {
  await open(page, "/links/l_payments/relocate/checks?plan=p_refused", { role: "operator" });
  const explain = page.getByRole("button", { name: /^Explain / }).first();
  await explain.click();
  await expect(explain).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("main").locator("code", { hasText: "SHOW ALL" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await open(page, "/plans/p_refused/plan", { role: "operator" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("link", { name: /runbook/i })).toHaveCount(0);
});

test("test_problem__of_a_failed_read__explained", async ({ page }) => {
  await open(page, "/links/l_nowhere");
  await page.getByRole("button", { name: "Explain not_found" }).click();
  await expect(page.getByRole("alert").getByText("Node not responding")).toBeVisible();
});
