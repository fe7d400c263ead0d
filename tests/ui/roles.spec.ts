/** Who may press what. A control that a role may not use is absent, or disabled with its reason. */
import { expect, type Page, test } from "@playwright/test";
import { open, type Role } from "./support/open";
import { CONTROLS as C, TEXTS } from "./texts";

const ROLES = ["viewer", "operator", "approver", "admin"] as const;
const ADMINS: Role[] = ["admin"];
const APPROVERS: Role[] = ["approver", "admin"];
const OPERATORS: Role[] = ["operator", "approver", "admin"];

type Control = [
  path: string,
  name: RegExp,
  allowed: Role[],
  kind?: "link" | "button",
  scenario?: string,
];

const CONTROLS: readonly Control[] = [
  ["/links", C.registerLink, ADMINS, "link"],
  ["/links/l_payments", C.relocate, OPERATORS, "link"],
  ["/links/l_payments/relocate/target", C.check, OPERATORS],
  ["/links/l_orders/settings", C.addWebhook, ADMINS],
  ["/settings/destinations", C.addDestination, ADMINS],
  ["/links/l_orders/settings", C.requireApproval, ADMINS],
  ["/links/l_orders/rehearsals", C.rehearse, OPERATORS],
  ["/links/l_ledger/orphans", C.scan, OPERATORS],
  ["/links/l_ledger/orphans", C.planReplay, OPERATORS, "link"],
  ["/plans/p_ready/plan", C.goToConfirmation, OPERATORS, "link"],
  ["/runs/r_waiting", C.abort, OPERATORS],
  ["/runs/r_needs_operator", C.resume, OPERATORS],
  ["/clusters", C.registerCluster, ADMINS, "link"],
  ["/clusters", C.checkCluster, ADMINS],
  ["/settings/users", C.createUser, ADMINS],
  ["/clusters/c_milan", C.changeName, ADMINS],
  ["/clusters/c_milan", C.changeTls, ADMINS],
  ["/clusters/c_milan", C.addNode, ADMINS],
  ["/clusters/c_milan", C.changeNode, ADMINS],
  ["/clusters/c_milan", C.removeNode, ADMINS],
  ["/clusters/c_milan", C.replaceAccount, ADMINS],
  ["/clusters/c_milan", C.addMember, ADMINS, "button", "membership"],
  ["/clusters/c_milan", C.removeAbsent, ADMINS, "button", "membership"],
  ["/clusters/c_milan", C.confirmServer, OPERATORS, "button", "membership"],
  ["/clusters/c_milan", C.replaceCluster, ADMINS, "button", "rebuilt"],
  ["/clusters/c_zurich", C.retireCluster, ADMINS],
  ["/links/l_orders/settings", C.renameLink, ADMINS],
  ["/links/l_orders/settings", C.homeSide, ADMINS],
  ["/links/l_orders/settings", C.swapNames, ADMINS],
  ["/links/l_orders/settings", C.retireLink, ADMINS],
  ["/links/l_orders/settings", C.beginMaintenance, OPERATORS],
  ["/links/l_payments", C.endMaintenance, OPERATORS, "button", "maintenance"],
];

/** A reason stands at the end of the control's name: "Approve (You started this run.)". */
const REASON = /\(.{10,}\)$/;

const placeOf = ([path, , , , scenario = "everything"]: Control) => `${path} ${scenario}`;
/** Each page is opened once for each role. */
const PLACES = [...new Set(CONTROLS.map(placeOf))];

async function expectAllowed(page: Page, role: Role, control: Control): Promise<void> {
  const [, name, allowed, kind = "button"] = control;
  const found = page.getByRole("main").getByRole(kind, { name }).first();
  if (allowed.includes(role)) await expect(found, `${role} ${name.source}`).toBeEnabled();
  else if (await found.count()) {
    await expect(found, `${role} ${name.source}`).toBeDisabled();
    await expect(found, `${role} ${name.source}`).toHaveAccessibleName(REASON);
  }
}

for (const place of PLACES)
  test(`test_role__on_${place}__may_press_what_it_allows`, async ({ page }) => {
    const [path = "", scenario = ""] = place.split(" ");
    const controls = CONTROLS.filter((control) => placeOf(control) === place);
    for (const role of ROLES) {
      await open(page, path, { role, scenario });
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole("status", { name: TEXTS.loading })).toHaveCount(0);
      for (const control of controls) await expectAllowed(page, role, control);
    }
  });

/** Controls that are there for every role and wait for something: they say for what. */
const WAITING: readonly [path: string, name: RegExp, role: Role][] = [
  ["/plans/p_ready/confirm", C.start, "viewer"],
  ["/plans/p_ready/confirm", C.start, "admin"],
  ["/plans/p_expired/confirm", C.start, "admin"],
  ["/runs/r_waiting", C.approve, "approver"],
  ["/waiting", C.confirmChange, "admin"],
  ["/settings/users?person=anna", C.changeRole, "admin"],
  ["/settings/users?person=anna", C.saveHostAccounts, "admin"],
  ["/settings/users?person=anna", C.setPassword, "admin"],
  ["/lab", C.startNode, "admin"],
  ["/lab", C.startSite, "admin"],
  ["/links/l_orders/settings", C.saveSettings, "admin"],
  ["/links/l_orders/rehearsals", C.saveSchedule, "admin"],
  ["/runs/r_exception", C.review, "approver"],
  ["/clusters/c_milan", C.retireCluster, "admin"],
  ["/links/l_retired/relocate/situation", C.chooseTarget, "admin"],
];

for (const [path, name, role] of WAITING)
  test(`test_disabled__${path}_${name.source}_as_${role}__says_why`, async ({ page }) => {
    await open(page, path, { role });
    const control = page.getByRole("main").getByRole("button", { name }).first();
    await expect(control).toBeDisabled();
    await expect(control).toHaveAccessibleName(REASON);
  });

test("test_role__approver__approves_a_run_of_somebody_else", async ({ page }) => {
  for (const role of APPROVERS) {
    await open(page, "/runs/r_waiting", { role });
    const main = page.getByRole("main");
    await main.getByRole("textbox").first().fill("CHG-2210 is planned");
    await main.getByRole("button", { name: C.approve }).click();
    await expect(main.getByRole("button", { name: C.approve })).toHaveCount(0);
  }
});
