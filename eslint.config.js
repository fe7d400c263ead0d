import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";

/** What a zone of frontend/src may not import; `features/<name>` never import each other. */
const zone = (files, patterns, ignores = []) => ({
  files,
  ignores,
  rules: {
    "no-restricted-imports": [
      "error",
      { patterns: patterns.map(([group, message]) => ({ group: [group], message })) },
    ],
  },
});
const app = ["@/app/**", "app assembles everything; nothing imports it"];
const features = ["@/features/**", "features stand above this room, and beside each other"];
const components = ["@/components/**", "components may know data; this room does not"];
const ui = ["@/ui/**", "ui stands above this room"];
const data = ["@/api/**", "ui knows no data"];

export default tseslint.config(
  {
    ignores: [
      "frontend/dist*/**",
      "frontend/src/api/schema.ts",
      "frontend/src/app/routeTree.gen.ts",
      "frontend/public/**",
    ],
  },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  reactHooks.configs.flat["recommended-latest"],
  {
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/only-throw-error": [
        "error",
        { allow: [{ from: "package", package: "@tanstack/router-core", name: "Redirect" }] },
      ],
      "no-console": "error",
      "no-restricted-globals": [
        "error",
        { name: "localStorage", message: "Only @/lib/preferences may keep things in the browser." },
      ],
      eqeqeq: "error",
    },
  },
  zone(["frontend/src/lib/**"], [app, features, components, ui, data]),
  zone(["frontend/src/api/**"], [app, features, components, ui]),
  zone(["frontend/src/ui/**"], [app, features, components, data]),
  zone(["frontend/src/components/**"], [app, features]),
  zone(["frontend/src/features/**"], [app, features]),
  {
    files: ["frontend/src/lib/preferences.ts"],
    rules: { "no-restricted-globals": "off" },
  },
  {
    files: ["**/*.test.{ts,tsx}", "frontend/src/testing/**", "tests/e2e/**"],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "no-restricted-globals": "off",
    },
  },
);
