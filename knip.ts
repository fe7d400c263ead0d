import type { KnipConfig } from "knip";

/** A stylesheet as the imports in it: the files of `@import` and `url()`. */
const importsOf = (stylesheet: string): string =>
  [...stylesheet.matchAll(/(?:@import |url\()"([^"]+)"/g)]
    .map(([, path]) => `import "${path}";`)
    .join("\n");

const config: KnipConfig = {
  // The mock API's modules are loaded by name through Vite; Python starts the provider of the tests.
  entry: ["frontend/mock-api/server.ts", "tests/support/providers/oidc.mjs"],
  project: ["frontend/**/*.{ts,tsx,css}", "tests/{e2e,story,ui}/**/*.ts", "tests/support/**/*.mjs"],
  vite: { config: ["vite.config.ts", "frontend/mock-api/vite.config.ts"] },
  vitest: {
    config: "vite.config.ts",
    entry: ["frontend/src/**/*.test.{ts,tsx}", "frontend/*.test.ts"],
  },
  playwright: { config: ["playwright.config.ts", "tests/ui/playwright.config.ts"] },
  compilers: { css: importsOf },
  // A type may be exported with the function whose signature names it.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // For the actions that are to report what became of them.
  ignoreIssues: { "frontend/src/components/toast.ts": ["exports"] },
};

export default config;
