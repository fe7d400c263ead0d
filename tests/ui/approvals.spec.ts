/** Decisions on runs, on a phone too; who may approve; the change calendar. */
import { expect, test } from "@playwright/test";
import { headingOf, open } from "./support/open";
import { HEADINGS } from "./texts";

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("test_decision__read_and_commented__approved_with_the_proof_on_one_page", async ({
    page,
  }) => {
    await open(page, "/waiting", { role: "approver" });
    const run = page.getByRole("listitem").filter({ hasText: "0 of 2 approvals given" });
    await run.getByRole("link").first().click();
    await expect(headingOf(page, HEADINGS.decision)).toBeVisible();
    await expect(page.getByText("The cluster state is as planned.")).toBeVisible();
    for (const name of ["Request", "Checks", "Steps", "Decision"])
      await expect(page.getByRole("heading", { name, exact: true })).toBeVisible();
    const approve = page.getByRole("button", { name: /^Approve run/ });
    await expect(approve).toHaveAttribute("aria-disabled", "true");
    await page.getByRole("textbox", { name: "Comment" }).fill("Read.");
    await expect(approve).toHaveAttribute("aria-disabled", "true");
    await page.getByRole("checkbox", { name: /^I have read the plan with the digest/ }).check();
    const box = await approve.boundingBox();
    expect(box?.width).toBeGreaterThan(300);
    expect(box?.height).toBeGreaterThanOrEqual(44);
    await approve.click();
    await expect(page.getByText("Your approval is recorded.")).toBeVisible();
    await expect(page.getByText(/^Nothing to decide/)).toBeVisible();
  });
});

test("test_decision__by_keyboard__rejected_with_the_comment", async ({ page }) => {
  await open(page, "/runs/r_waiting/approve", { role: "approver" });
  await page.getByRole("textbox", { name: "Comment" }).focus();
  await page.keyboard.type("Not before the backup.");
  await page.getByRole("button", { name: "Reject run" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText(/rejected the run: Not before the backup\./)).toBeVisible();
});

test("test_decision__by_an_operator__says_why_there_is_none", async ({ page }) => {
  await open(page, "/runs/r_waiting/approve", { role: "operator" });
  await expect(page.getByText("Your role does not include approving runs.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Approve run/ })).toHaveCount(0);
});

test("test_approvers__lowered__pending_until_a_second_administrator", async ({ page }) => {
  await open(page, "/links/l_payments/settings");
  await page.getByRole("button", { name: "Change approvers…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Persons who must approve" }).fill("1");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("CHG-1");
  await dialog.getByRole("button", { name: "Save rule" }).click();
  await expect(page.getByText("The request for the weaker rule is saved.")).toBeVisible();
});

test("test_change_calendar__window_added_and_freeze_deleted__shown_in_words", async ({ page }) => {
  await open(page, "/settings/change-calendar");
  await page.getByRole("button", { name: "Add window…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("quiet time");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("low load");
  await dialog.getByRole("checkbox", { name: "Sunday" }).check();
  await dialog.getByRole("textbox", { name: "Time zone" }).fill("Europe/Berlin");
  await dialog.getByRole("button", { name: "Add change window" }).click();
  const windows = page.getByRole("table", { name: "Change windows" });
  const added = windows.getByRole("row").filter({ hasText: "quiet time" });
  await expect(added.getByText("Sunday from 22:00 (Europe/Berlin) for 240 min")).toBeVisible();

  await page.getByRole("button", { name: "Delete freeze year end…" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Reason" }).fill("books are closed");
  await page.getByRole("button", { name: "Delete freeze year end", exact: true }).click();
  await expect(page.getByText("No freezes.")).toBeVisible();
});

test("test_change_calendar__by_an_operator__read_only", async ({ page }) => {
  await open(page, "/settings/change-calendar", { role: "operator" });
  const add = page.getByRole("button", { name: /^Add freeze/ });
  await expect(add).toHaveAttribute("aria-disabled", "true");
});
