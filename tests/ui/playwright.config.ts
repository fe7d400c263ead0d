/** `npx playwright test -c tests/ui`: the console in a browser, on the API from memory. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, devices } from "@playwright/test";
import { patient } from "../support/patience";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The distribution's Chromium: nothing is downloaded for browser tests. */
const chromium =
  process.env.HAWSER_CHROMIUM ??
  ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));
const asRoot = process.getuid?.() === 0;

/** `make test-ui` draws one that it alone has. */
const port = process.env.HAWSER_UI_PORT ?? "4173";
const url = `http://127.0.0.1:${port}`;

const VITE = "npx vite";
const CONFIG = "--config frontend/mock-api/vite.config.ts";

export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results/ui",
  // Each test has a database of its own in the mock API.
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  retries: 0,
  // As long as the tests with a lab wait.
  timeout: patient(180_000),
  expect: { timeout: patient(60_000) },
  reporter: "list",
  webServer: {
    command: `${VITE} build ${CONFIG} --logLevel error && ${VITE} preview ${CONFIG} --strictPort --port ${port}`,
    cwd: root,
    url,
    timeout: patient(180_000),
    gracefulShutdown: { signal: "SIGTERM", timeout: 5000 },
  },
  use: {
    baseURL: url,
    // A new context is a new process without compiled scripts: 1.2 s of a processor for each test.
    reuseContext: true,
    actionTimeout: patient(60_000),
    colorScheme: "light",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: asRoot ? ["--no-sandbox"] : [],
    },
  },
  projects: [
    {
      name: "ui",
      use: { ...devices["Desktop Chrome"], viewport: { width: 1280, height: 800 } },
    },
    // The pictures of the documents: `npm run pictures`.
    {
      name: "pictures",
      testMatch: "pictures.ts",
      use: { ...devices["Desktop Chrome"], viewport: { width: 1280, height: 700 } },
    },
  ],
});
