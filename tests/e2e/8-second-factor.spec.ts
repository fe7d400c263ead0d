/** A passkey in a real console, by the browser's own virtual authenticator. A passkey needs a name of a host. */
import type { Page } from "@playwright/test";
import { patient } from "../support/patience";
import { demoFacts, userOf } from "./support/facts";
import { expect, test } from "./support/test";

/** Where the console asks for a proof after so many seconds (HAWSER_STEP_UP_S), the test waits for that. */
const STEP_UP_S = Number(process.env.HAWSER_E2E_STEP_UP_S ?? 0);
async function proofToAge(): Promise<void> {
  const old = Date.now() + STEP_UP_S * 1000;
  const timeout = STEP_UP_S * 1000 + patient(60_000);
  await expect.poll(() => Date.now() > old, { timeout }).toBe(true);
}

const region = (page: Page, name: string) => page.getByRole("region", { name });

async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test("test_passkey__added__signs_in_alone_and_proves_before_an_action", async ({ page }) => {
  const url = demoFacts().url.replace("127.0.0.1", "localhost");
  await addAuthenticator(page);
  await page.goto(`${url}/sign-in`);
  await page.getByLabel("Name").fill(userOf("viewer"));
  await page.getByLabel("Password", { exact: true }).fill(demoFacts().password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Links", level: 1 })).toBeVisible();

  await page.goto(`${url}/account`);
  const factors = region(page, "Second factors");
  await factors.getByLabel("Name of the passkey").fill("Laptop");
  await factors.getByRole("button", { name: "Add a passkey" }).click();
  const codes = factors.getByRole("list", { name: "Codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const [code] = await codes.allTextContents();
  await factors.getByRole("button", { name: "I have kept them" }).click();
  await expect(factors.getByRole("list", { name: "Passkeys" })).toContainText("Laptop");

  await page.getByRole("button", { name: userOf("viewer") }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
  await page.goto(`${url}/sign-in`);
  await page.getByLabel("Name").fill(userOf("viewer"));
  await page.getByLabel("Password", { exact: true }).fill(demoFacts().password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("button", { name: "Use a passkey" })).toBeVisible();
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("heading", { name: "Links", level: 1 })).toBeVisible();

  await page.goto(`${url}/settings/tokens`);
  const tokens = region(page, "Tokens");
  await tokens.getByLabel("Description").fill("made after a proof");
  await proofToAge();
  await tokens.getByRole("button", { name: "Create token" }).click();
  if (STEP_UP_S > 0) {
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.getByRole("button", { name: "Use a passkey" }).click();
    await expect(dialog).toHaveCount(0);
  }
  await expect(page.getByText("made after a proof").first()).toBeVisible();

  await page.goto(`${url}/account`);
  await proofToAge();
  await factors.getByRole("button", { name: /^Remove passkey…/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove the passkey" }).click();
  if (STEP_UP_S > 0) {
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.getByLabel("Code of the app, or a recovery code").fill(code ?? "");
    await dialog.getByRole("button", { name: "Confirm", exact: true }).click();
  }
  await expect(factors.getByRole("list", { name: "Passkeys" })).toHaveCount(0);
});
