/** Uses the demo that HAWSER_E2E_READY_FILE describes; where there is none, brings one up and takes it down. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { patient } from "../../support/patience";
import { demoFacts } from "./facts";

const UP_LIMIT_MS = patient(300_000);
const DOWN_LIMIT_MS = patient(90_000);

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function waitForFile(path: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + UP_LIMIT_MS;
  while (!existsSync(path)) {
    if (child.exitCode !== null) throw new Error(`the demo ended with ${child.exitCode}`);
    if (Date.now() > deadline) throw new Error("the demo did not come up");
    await sleep(500);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGINT");
  await Promise.race([gone, sleep(DOWN_LIMIT_MS)]);
}

export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.HAWSER_E2E_READY_FILE) return undefined;
  const home = mkdtempSync(join(tmpdir(), "hawser-e2e-"));
  const ready = join(home, "ready.json");
  const python = existsSync(".venv/bin/python") ? ".venv/bin/python" : "python3";
  const args = ["-m", "deploy.demo", "--home", join(home, "demo"), "--ready-file", ready];
  const child = spawn(python, args, {
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      HAWSER_PORT: "8890",
      HAWSER_LAB_NET: "127.63",
      HAWSER_LAB_HOME: join(home, "lab"),
      HAWSER_STEP_UP_S: "900",
      ...process.env,
    },
  });
  await waitForFile(ready, child);
  process.env.HAWSER_E2E_READY_FILE = ready;
  process.env.HAWSER_E2E_URL = demoFacts().url;
  return () => stop(child);
}
