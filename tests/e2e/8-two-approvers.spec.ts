/** A run that two persons approve, each from the link in the mail: one at a desk, one on a phone. */
import type { Browser, Page } from "@playwright/test";
import { patient } from "../support/patience";
import {
  lastRun,
  linkFacts,
  mailApprovalsTo,
  requireApprovals,
  standingPair,
  startRefused,
} from "./support/api";
import { grave } from "./support/axe";
import { demoFacts, userOf } from "./support/facts";
import { MailServer } from "./support/mail";
import { wholePicture } from "./support/picture";
import { expect, test } from "./support/test";
import { codeOf } from "./support/totp";
import { checksPassed } from "./support/walk";

const SECOND = "ada";
const PROGRESS = (given: number) => `${given} of 2 approvals given.`;
const region = (page: Page, name: string) => page.getByRole("region", { name });

async function signIn(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(demoFacts().password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** What a page says of the plan: its digest, and the evidence of its position. */
interface Proof {
  digest: string;
  evidence: string | null;
}

const evidenceOn = (page: Page) => page.getByRole("table", { name: "Evidence" }).textContent();

/** The operator's way from the link to a run that waits. */
async function askForRun(page: Page): Promise<Proof> {
  const [{ clusters, id, name }, { source_node }] = await Promise.all([
    linkFacts(),
    standingPair(),
  ]);
  const other = clusters.active.nodes.find(
    (node) => node.id !== source_node && node.reach === "up",
  );
  await page.goto(`/links/${id}/relocate/target`);
  await page.getByRole("radio", { name: other?.name ?? "" }).check();
  await page.getByLabel("Reason or ticket").fill("CHG-7: its disk is to be replaced");
  await page.getByRole("button", { name: /^Check db-/ }).click();
  await checksPassed(page);
  await page.getByRole("link", { name: "View proof" }).click();
  const evidence = await evidenceOn(page);
  await page.getByRole("link", { name: "View plan" }).click();
  const digest = await page
    .getByText(/^[0-9a-f]{16}/)
    .first()
    .innerText();
  await page.getByRole("link", { name: "Go to confirmation" }).click();
  await page.getByLabel(/^Type the link's name/).fill(name);
  await page.getByRole("button", { name: /^Move both channels to/ }).click();
  await expect(page).toHaveURL(/\/runs\/r_/);
  await expect(page.getByText(PROGRESS(0))).toBeVisible();
  return { digest: digest.slice(0, 16), evidence };
}

/** The page of the decision, from the mail; who is not signed in gets there after it. */
async function openFromMail(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address);
  await signIn(page, name);
  await expect(page).toHaveURL(address);
  await expect(page.getByRole("heading", { level: 1, name: /^Approve: / })).toBeVisible();
}

async function expectSameProof(page: Page, { digest, evidence }: Proof): Promise<void> {
  await expect(page.getByText("The cluster state is as planned.")).toBeVisible();
  expect(await evidenceOn(page)).toBe(evidence);
  await expect(page.getByRole("checkbox", { name: new RegExp(digest) })).toBeVisible();
}

async function approve(page: Page, digest: string): Promise<void> {
  const panel = region(page, "Decision");
  await panel.getByLabel("Comment").fill("read the proof");
  await panel.getByRole("checkbox", { name: new RegExp(digest) }).check();
  await panel.getByRole("button", { name: "Approve run" }).click();
}

/** Add an authenticator app in another browser; returns a code that is not used yet. */
async function addApp(browser: Browser, name: string): Promise<string> {
  const page = await browser.newPage();
  await page.goto("/account");
  await signIn(page, name);
  const factors = region(page, "Second factors");
  await factors.getByRole("button", { name: "Add an authenticator app" }).click();
  const secret = await factors.getByText(/^[A-Z2-7]{32}$/).innerText();
  await factors.getByLabel("Code of the app").fill(codeOf(secret));
  await factors.getByRole("button", { name: "Add the app" }).click();
  const codes = factors.getByRole("list", { name: "Codes" }).getByRole("listitem");
  const code = await codes.first().innerText();
  await page.context().close();
  return code;
}

test("test_run__two_approvers__second_one_on_a_phone_starts_it", async ({
  page,
  signInAs,
  browser,
}) => {
  const first = userOf("approver");
  await requireApprovals([first, SECOND]);
  const server = await MailServer.start();
  const stopMails = await mailApprovalsTo(server.port);
  await signInAs("operator");
  const proof = await askForRun(page);
  const runPage = page.url();
  await expect.poll(() => server.mails.length).toBe(1);
  await stopMails();
  await server.close();
  const address = /https?:\/\/\S+\/approve/.exec(server.mails[0] ?? "")?.[0] ?? "";
  expect(address).toBe(`${runPage}/approve`);

  await test.step("the first one, at 1280", async () => {
    const desk = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await openFromMail(desk, address, first);
    const code = await addApp(browser, first);
    await desk.reload();
    await expectSameProof(desk, proof);
    expect(await grave(desk)).toEqual([]);
    await wholePicture(desk, "approval-0");
    await approve(desk, proof.digest);
    const dialog = desk.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.getByLabel("Code of the app, or a recovery code").fill(code);
    await dialog.getByRole("button", { name: "Confirm", exact: true }).click();
    await expect(region(desk, "Decision").getByText(PROGRESS(1))).toBeVisible();
    await expect(
      region(desk, "Decision").getByText(/^You have approved this run already/),
    ).toBeVisible();
    await expect(desk.getByRole("button", { name: /^Approve run/ })).toHaveCount(0);
    await wholePicture(desk, "approval-1");
    await desk.context().close();
  });

  await test.step("one of two: refused, and no decision of the requester's", async () => {
    await page.reload();
    await expect(page.getByText(PROGRESS(1))).toBeVisible();
    expect((await lastRun())?.state).toBe("waiting_approval");
    expect(await startRefused()).toContain("has 1 of 2 approvals and starts");
    await wholePicture(page, "approval-run");
    await page.goto(`${runPage}/approve`);
    await expect(region(page, "Decision").getByText(/^Your role does not include/)).toBeVisible();
    await expect(page.getByRole("button", { name: /^Approve run/ })).toHaveCount(0);
    await page.goto(runPage);
  });

  await test.step("the second one, at 390", async () => {
    const phone = await browser.newPage({
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    });
    await openFromMail(phone, address, SECOND);
    await expectSameProof(phone, proof);
    await expect(region(phone, "Decision").getByText(PROGRESS(1))).toBeVisible();
    expect(await grave(phone)).toEqual([]);
    await wholePicture(phone, "approval-2");
    await approve(phone, proof.digest);
    await expect(phone.getByText("Your approval is recorded.")).toBeVisible();
    await phone.context().close();
  });

  await page.getByRole("link", { name: "View result" }).click({ timeout: patient(90_000) });
  await expect(page.getByText("Verified", { exact: true })).toBeVisible();
});
