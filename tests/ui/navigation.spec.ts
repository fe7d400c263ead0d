/** Keyboard and screen reader: the guided workflow, the focus after a navigation, what is read out. */
import { expect, type Locator, type Page, test } from "@playwright/test";
import { violations } from "./support/axe";
import { headingOf, open } from "./support/open";
import { CONTROLS as C, HEADINGS as H, TEXTS } from "./texts";

const MOST_TABS = 60;
const POLLS_MS = 5000;

/** Press Tab until the control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  for (let count = 0; count < MOST_TABS; count++) {
    await page.keyboard.press("Tab");
    if (await control.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`${String(control)} is not reached by ${MOST_TABS} tabs`);
}

async function tabToAndPress(page: Page, name: RegExp, role: "link" | "button" = "link") {
  await tabTo(page, page.getByRole("main").getByRole(role, { name }).first());
  await page.keyboard.press("Enter");
}

test("test_workflow__by_keyboard_alone__from_the_link_to_the_result", async ({ page }) => {
  await open(page, "/links/l_payments", { scenario: "node-lost", role: "operator" });
  await tabToAndPress(page, C.relocate);
  await expect(page).toHaveURL(/relocate\/situation/);
  await tabToAndPress(page, C.chooseTarget);
  await expect(page).toHaveURL(/relocate\/target/);
  await tabToAndPress(page, C.check, "button");
  await expect(page).toHaveURL(/relocate\/checks/);
  await tabToAndPress(page, C.seeProof);
  await expect(page).toHaveURL(/\/proof/);
  await tabToAndPress(page, C.seePlan);
  await expect(page).toHaveURL(/\/plan$/);
  await tabToAndPress(page, C.goToConfirmation);
  await expect(page).toHaveURL(/\/confirm$/);
  await tabTo(page, page.getByRole("textbox", { name: C.reason }));
  await page.keyboard.type("INC-4211");
  await tabTo(page, page.getByRole("textbox", { name: C.confirmation }));
  await page.keyboard.type("payments");
  await tabToAndPress(page, C.start, "button");
  await expect(page).toHaveURL(/\/runs\/r_\d+$/);
  await tabToAndPress(page, C.seeResult);
  await expect(page).toHaveURL(/\/result$/);
  await expect(page.getByRole("main").getByText(TEXTS.runEnded).first()).toBeVisible();
});

test("test_focus__after_a_navigation__is_on_the_heading_of_the_new_page", async ({ page }) => {
  await open(page, "/links");
  await expect(headingOf(page, H.links)).toBeVisible();
  await expect(headingOf(page, H.links)).not.toBeFocused();
  for (const [name, heading] of [
    ["Runs", H.runs],
    ["Audit", H.audit],
    ["Links", H.links],
  ] as const) {
    await page.getByRole("navigation").getByRole("link", { name }).last().click();
    await expect(headingOf(page, heading)).toBeFocused();
    await expect(page).toHaveTitle(heading.source.startsWith("^") ? new RegExp(name) : heading);
  }
  await page.goBack();
  await expect(headingOf(page, H.audit)).toBeFocused();
});

test("test_focus__page_that_is_still_read__moves_when_its_heading_comes", async ({ page }) => {
  await open(page, "/links");
  await page.route("**/api/v1/links/l_orders", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 800));
    await route.continue();
  });
  await page.getByRole("link", { name: /^Link orders/ }).click();
  await expect(headingOf(page, H.link)).toBeFocused();
});

test("test_menu__at_390__opens_every_main_page_and_returns_the_focus", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, "/links");
  const button = page.getByRole("button", { name: C.openMenu });
  await button.click();
  const menu = page.getByRole("dialog");
  await expect(menu.getByRole("link", { name: "Clusters" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(button).toBeFocused();
  await button.click();
  await menu.getByRole("link", { name: "Runs" }).click();
  await expect(headingOf(page, H.runs)).toBeVisible();
  await expect(menu).toBeHidden();
  await button.click();
  await menu.getByRole("button", { name: /operator-1/ }).click();
  await page.getByRole("menuitem", { name: "Account" }).click();
  await expect(headingOf(page, H.account)).toBeVisible();
  await expect(menu).toBeHidden();
});

test("test_announcements__link_read_again__says_nothing_anew", async ({ page }) => {
  await open(page, "/links/l_payments", { scenario: "node-lost" });
  await expect(headingOf(page, H.link)).toBeVisible();
  await expect(page.getByRole("status", { name: TEXTS.loading })).toHaveCount(0);
  const said = await page.evaluate(async (waitMs) => {
    const live = "[role=status], [role=alert], [aria-live]:not([aria-live=off])";
    const changed: string[] = [];
    const observer = new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest(live);
        if (region) changed.push(region.textContent);
      }
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    return changed;
  }, POLLS_MS);
  expect(said).toEqual([]);
});

test("test_topology__as_text__names_each_node_and_channel", async ({ page }) => {
  await open(page, "/links/l_payments", { role: "viewer" });
  await page.getByText("The same as text").click();
  const channels = page.getByRole("region", { name: "Channels" });
  await expect(channels.getByText("db-a1 → db-b1")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByText("The same as text")).toHaveCount(0);
  await expect(channels.getByText("db-a1 → db-b1")).toBeVisible();
});

test("test_menu_of_the_user__its_code_cannot_be_loaded__page_stays_and_is_told_what_helps", async ({
  page,
}) => {
  await open(page, "/links");
  await page.route("**/OpenedUserMenu*.js", (route) => route.abort());
  await page.getByRole("button", { name: /operator-1/ }).click();
  await expect(page.getByRole("alert")).toContainText("Reload the page.");
  await expect(headingOf(page, H.links)).toBeVisible();
});

test("test_page__its_code_is_refused_once__comes_without_a_hand", async ({ page }) => {
  await open(page, "/runs");
  let asked = 0;
  await page.route("**/LinksPage*.css", (route) => {
    asked += 1;
    return asked === 1 ? route.abort() : route.continue();
  });
  await page
    .getByRole("link", { name: /^Links/ })
    .first()
    .click();
  await expect(headingOf(page, H.links)).toBeVisible();
  expect(asked).toBeGreaterThan(1);
});

test("test_page__its_code_cannot_be_loaded__says_so_and_reloads_when_asked", async ({ page }) => {
  await open(page, "/runs");
  await page.route("**/LinksPage*.css", (route) => route.abort());
  await page
    .getByRole("link", { name: /^Links/ })
    .first()
    .click();
  await expect(headingOf(page, /^Page failed$/)).toBeVisible();
  await page.unroute("**/LinksPage*.css");
  await page.getByRole("button", { name: "Reload page" }).click();
  await expect(headingOf(page, H.links)).toBeVisible();
});

test("test_page__its_code_cannot_be_loaded_while_the_console_is_down__is_not_left", async ({
  page,
}) => {
  await open(page, "/runs");
  await page.route("**/LinksPage*.css", (route) => route.abort());
  await page.route(/\/links$/, (route) => route.abort());
  await page
    .getByRole("link", { name: /^Links/ })
    .first()
    .click();
  await expect(headingOf(page, /^Page failed$/)).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Console" })).toBeVisible();
});

test("test_action__browser_takes_itself_for_offline__sent_all_the_same", async ({ page }) => {
  await open(page, "/settings/users");
  const users = page.getByRole("region", { name: "All users" });
  await users.getByLabel("Name").fill("nina");
  await users.getByLabel(/^Password/).fill("lantern-quarry-violet-71");
  // As where an interface went away that did not lead to the console.
  await page.evaluate(() => window.dispatchEvent(new Event("offline")));
  await users.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByText("User nina added.")).toBeVisible();
  await users.getByLabel("Search users").fill("nina");
  await expect(users.getByRole("heading", { name: "nina" })).toBeVisible();
});
