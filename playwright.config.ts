import { existsSync } from "node:fs";
import { defineConfig, devices } from "@playwright/test";
import { patient } from "./tests/support/patience";

/** The distribution's Chromium: nothing is downloaded for browser tests. */
const chromium =
  process.env.HAWSER_CHROMIUM ??
  ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));
const asRoot = process.getuid?.() === 0;

/** The lab's scenarios walk changes of a registration and a relocate in every run; in the browser the whole run does. */
const WHOLE_ONLY = process.env.HAWSER_WHOLE ? [] : ["7-registration.spec.ts", "9-tour.spec.ts"];

export default defineConfig({
  testDir: "tests/e2e",
  globalSetup: "./tests/e2e/support/global-setup.ts",
  outputDir: "test-results/e2e",
  // One lab stands behind all tests: they take turns.
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  // Longer than any of these waits takes on a busy machine; HAWSER_PATIENCE is for a slower one.
  timeout: patient(240_000),
  expect: { timeout: patient(60_000) },
  reporter: "list",
  use: {
    baseURL: process.env.HAWSER_E2E_URL ?? "http://127.0.0.1:8800",
    actionTimeout: patient(60_000),
    // Requests of a page that a worker controls may pass the tests by.
    serviceWorkers: "block",
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: asRoot ? ["--no-sandbox"] : [],
    },
  },
  projects: [
    {
      name: "chromium",
      testIgnore: ["bare/**", ...WHOLE_ONLY],
      use: { ...devices["Desktop Chrome"], viewport: { width: 1440, height: 900 } },
    },
    // Two bare clusters, each on a demo of its own: `make test-bare`.
    {
      name: "bare-desktop",
      testMatch: "bare/*.spec.ts",
      use: { ...devices["Desktop Chrome"], viewport: { width: 1280, height: 800 } },
    },
    {
      name: "bare-phone",
      testMatch: "bare/*.spec.ts",
      use: { ...devices["Desktop Chrome"], viewport: { width: 390, height: 844 } },
    },
    // The last moves of a story that tests/story/test_story.py tells; it starts this project itself.
    {
      name: "story",
      testDir: "tests/story",
      outputDir: "test-results/story",
      // Recording takes more of a processor than the pages do; the lab of the story shares two of them.
      use: { ...devices["Desktop Chrome"], viewport: { width: 1280, height: 800 }, trace: "off" },
    },
  ],
});
