/** The pictures of the documents, 1280 by 700 and light, so that none is larger than 150 kB: `npm run pictures` makes docs/images again. */
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { open, type State } from "./support/open";
import { TEXTS } from "./texts";

const FOLDER = fileURLToPath(new URL("../../docs/images", import.meta.url));
const PAYMENTS = "/links/l_payments";

/** Named by page. */
const PICTURES: Record<string, [path: string, state?: State]> = {
  "link-healthy": [PAYMENTS, { scenario: "calm" }],
  "link-broken": [PAYMENTS, { scenario: "node-lost" }],
  target: [`${PAYMENTS}/relocate/target`, { scenario: "node-lost" }],
  proof: ["/plans/p_ready/proof"],
  plan: ["/plans/p_ready/plan"],
  confirm: ["/plans/p_ready/confirm"],
  result: ["/runs/r_past_1/result"],
  orphans: ["/links/l_ledger/orphans"],
  rehearsals: ["/links/l_orders/rehearsals"],
  settings: ["/links/l_orders/settings"],
  audit: ["/audit"],
  lab: ["/lab"],
  links: ["/links?view=table"],
  guide: ["/registrations/f_ready?step=second"],
  incident: ["/incidents/x_planned"],
  "one-page": ["/plans/p_ready/all"],
};

for (const [name, [path, state]] of Object.entries(PICTURES))
  test(`picture ${name}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await open(page, path, state);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("status", { name: TEXTS.loading })).toHaveCount(0);
    await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: "disabled" });
  });
