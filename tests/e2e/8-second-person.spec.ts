/** What waits for a second person. Last, because the link's rule stays on: switching it off takes a day or a second administrator. */
import type { Page } from "@playwright/test";
import { patient } from "../support/patience";
import { linkFacts, planElsewhere, startRun } from "./support/api";
import { grave, overflowAt } from "./support/axe";
import { demoFacts, userOf } from "./support/facts";
import { expect, test } from "./support/test";

const PASSWORD = "lantern-quarry-violet-71";
const settings = () => `/links/${demoFacts().link_id}/settings`;
const region = (page: Page, name: string) => page.getByRole("region", { name });
const confirmIn = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

test("test_people__new_approver__waits_and_is_rejected_by_who_asked", async ({
  page,
  signInAs,
}) => {
  await signInAs("admin");
  await page.goto("/settings/users");
  const people = region(page, "All users");
  await people.getByLabel("Name").fill("eve");
  await people.getByLabel(/^Password/).fill(PASSWORD);
  await people.getByRole("combobox", { name: "Role" }).click();
  await page.getByRole("option", { name: "approver" }).click();
  await people.getByRole("button", { name: "Add user" }).click();
  await expect(people.getByText(/Pending change: eve \(approver\) was added/)).toBeVisible();
  await expect(people.getByText(/Can approve from/)).toBeVisible();

  const sidebar = page.getByRole("navigation", { name: "Console" });
  await sidebar.getByRole("link", { name: /^Approvals \d+ pending$/ }).click();
  await expect(page.getByRole("heading", { name: "Pending approvals" })).toBeVisible();
  const change = page.getByRole("listitem").filter({ hasText: "eve (approver) was added" });
  await expect(change.getByText(/^You requested this change/)).toBeVisible();
  await expect(change.getByRole("button", { name: /^Confirm/ })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  expect(await grave(page)).toEqual([]);
  expect(await overflowAt(page, 390)).toBe(0);

  await change.getByLabel("Comment").fill("not needed after all");
  await change.getByRole("button", { name: "Reject change…" }).click();
  await confirmIn(page, "Reject change");
  await expect(change).toHaveCount(0);
  await page.goto("/settings/users?person=eve");
  await expect(people.getByText("approver, disabled")).toBeVisible();
  await expect(people.getByRole("button", { name: "Enable eve" })).toBeVisible();
  expect(await grave(page)).toEqual([]);
  expect(await overflowAt(page, 390)).toBe(0);
});

test("test_person__session_ended__signed_out_there", async ({ page, signInAs, browser }) => {
  const viewer = userOf("viewer");
  const elsewhere = await browser.newContext();
  const theirs = await elsewhere.newPage();
  await theirs.goto("/sign-in");
  await theirs.getByLabel("Name").fill(viewer);
  await theirs.getByLabel("Password", { exact: true }).fill(demoFacts().password);
  await theirs.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(theirs.getByRole("heading", { name: "Links", level: 1 })).toBeVisible();

  await signInAs("admin");
  await page.goto(`/settings/users?person=${viewer}`);
  const people = region(page, "All users");
  // The latest sign-in is first.
  await people
    .getByRole("button", { name: /^End session/ })
    .first()
    .click();
  await confirmIn(page, "End session");
  await expect(async () => {
    await theirs.goto("/runs");
    await expect(theirs.getByRole("button", { name: "Sign in", exact: true })).toBeVisible({
      timeout: patient(3000),
    });
  }).toPass({ timeout: patient(60_000) });
  await people.getByRole("button", { name: "Unlock sign-in" }).click();
  await expect(page.getByText(`Sign-in of ${viewer} unlocked.`)).toBeVisible();
  await elsewhere.close();
});

test("test_account__own_session__marked_and_password_guarded", async ({ page, signInAs }) => {
  await signInAs("operator");
  await page.goto("/settings/sessions");
  await expect(region(page, "Your sessions").getByText("this session")).toHaveCount(1);
  await page.goto("/account");
  const password = region(page, "Your password");
  await password.getByLabel("Current password").fill("not the password");
  await password.getByLabel("New password", { exact: true }).fill(PASSWORD);
  await password.getByLabel("Repeat new password").fill(PASSWORD);
  await password.getByRole("button", { name: "Change password" }).click();
  await expect(
    password.getByText("The current password is wrong. Your password is unchanged."),
  ).toBeVisible();
  await page.goto("/settings/tokens");
  await region(page, "Tokens").getByLabel("Expires in (days)").fill("400");
  await region(page, "Tokens").getByLabel("Description").fill("a test");
  await expect(region(page, "Tokens").getByLabel("Expires in (days)")).toHaveValue("365");
  expect(await overflowAt(page, 390)).toBe(0);
});

test("test_sign_in__too_many_attempts__in_the_words_of_the_server", async ({ page }) => {
  const detail = "Too many failed sign-ins from this address. Wait up to 14 minutes.";
  await page.route("**/api/v1/session", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({
          status: 429,
          headers: { "Retry-After": "840", "Content-Type": "application/problem+json" },
          body: JSON.stringify({ code: "too_many_attempts", title: "Too many", detail }),
        })
      : route.continue(),
  );
  await page.goto("/sign-in");
  await page.getByLabel("Name").fill("eve");
  await page.getByLabel("Password", { exact: true }).fill("guess");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert")).toHaveText(detail);
  await expect(page.getByText("Try again in 14 min.")).toBeVisible();
  expect(await grave(page)).toEqual([]);
});

test("test_page__untouched_for_a_minute__says_so_with_each_request", async ({ page, signInAs }) => {
  await page.clock.install();
  await signInAs("viewer");
  const touched = await page.waitForRequest(/\/api\/v1\/links$/);
  expect(touched.headers()["x-hawser-idle"]).toBeUndefined();
  await page.clock.fastForward(61_000);
  const untouched = await page.waitForRequest(
    (request) => request.headers()["x-hawser-idle"] === "1",
  );
  expect(untouched.method()).toBe("GET");
  await page.keyboard.press("Shift");
  await page.waitForRequest(
    (request) => request.url().endsWith("/api/v1/links") && !("x-hawser-idle" in request.headers()),
  );
});

test("test_rule__switched_on_then_off__on_until_somebody_else_agrees", async ({
  page,
  signInAs,
}) => {
  await signInAs("admin");
  await page.goto(settings());
  const approval = region(page, "Approval");
  const setRule = async (label: string) => {
    await approval.getByRole("button", { name: `${label}…` }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Reason").fill("CHG-1");
    await form.getByRole("button", { name: label }).click();
    await expect(form).toHaveCount(0);
  };
  await setRule("Require approval");
  await expect(approval.getByText("required", { exact: true })).toBeVisible();
  await setRule("Stop requiring approval");
  await expect(approval.getByText(/^Pending change: .* requests that runs on/)).toBeVisible();
  await expect(approval.getByText("required", { exact: true })).toBeVisible();
  expect((await linkFacts()).requires_approval).toBe(true);
  await approval.getByRole("link", { name: "Approvals" }).click();
  const change = page.getByRole("listitem").filter({ hasText: "requests that runs on" });
  await change.getByLabel("Comment").fill("only looked at");
  await change.getByRole("button", { name: "Reject change…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Rejecting the change keeps the approval rule on.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.goto(settings());
  await setRule("Keep requiring approval");
  await expect(approval.getByText(/^Pending change/)).toHaveCount(0);
});

test("test_run__approved_by_a_second_person__goes_on", async ({ page, signInAs }) => {
  const { digest, ...plan } = await planElsewhere();
  expect(plan.state).toBe("ready");
  const run = await startRun({ ...plan, digest });
  await signInAs("approver");
  await page.goto("/waiting");
  await region(page, "Runs").getByRole("link").first().click();
  await expect(page).toHaveURL(`/runs/${run.id}/approve`);
  const panel = region(page, "Decision");
  const hasRead = panel.getByRole("checkbox", { name: new RegExp(digest.slice(0, 16)) });
  await expect(hasRead).toBeVisible();
  expect(await grave(page)).toEqual([]);
  expect(await overflowAt(page, 390)).toBe(0);
  const approve = panel.getByRole("button", { name: "Approve run" });
  await expect(approve).toHaveAttribute("aria-disabled", "true");
  await panel.getByLabel("Comment").fill("read the plan");
  await hasRead.check();
  await approve.click();
  await expect(page.getByText("Your approval is recorded.")).toBeVisible();
  await page.goto(`/runs/${run.id}`);
  await expect(page.getByText(/approved the run/)).toBeVisible();
  await page.getByRole("link", { name: "View result" }).click({ timeout: patient(120_000) });
  await expect(page.getByText("Succeeded").first()).toBeVisible();
});
