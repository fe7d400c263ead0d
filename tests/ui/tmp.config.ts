process.env.HAWSER_UI_PORT = "4875";
const { default: base } = await import("./playwright.config");
const { webServer: _, ...rest } = base;
export default { ...rest, workers: 1, timeout: 300_000, expect: { timeout: 120_000 }, use: { ...rest.use, actionTimeout: 120_000 } };
