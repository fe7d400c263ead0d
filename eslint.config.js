import { readdirSync } from "node:fs";
import js from "@eslint/js";
import query from "@tanstack/eslint-plugin-query";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";

/** The layers of frontend/src, low to high: a layer imports only from those before it. */
const LAYERS = ["lib", "ui", "api", "domain", "components", "features", "app"];

/** Imports that a layer may not have: every higher layer, and in features the other features. */
const layerRule = (layer) => {
  const higher = LAYERS.slice(LAYERS.indexOf(layer) + 1);
  const patterns = higher.map((name) => ({
    group: [`@/${name}/**`],
    message: `${layer} is below ${name}: see LAYERS in eslint.config.js`,
  }));
  return {
    files: [`frontend/src/${layer}/**`],
    rules: { "no-restricted-imports": ["error", { patterns }] },
  };
};

/** A feature imports its own files and lower layers, never another feature. */
const featureRule = (feature) => ({
  files: [`frontend/src/features/${feature}/**`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          { group: ["@/app/**"], message: "app assembles the features; nothing imports it" },
          {
            group: ["@/features/**", `!@/features/${feature}`, `!@/features/${feature}/**`],
            message: "features never import each other",
          },
        ],
      },
    ],
  },
});
/** What a translator could not put right; docs/reference/translation.md says more. */
const TRANSLATABLE = [
  {
    selector: "ConditionalExpression > Literal[value=/^e?s$/]",
    message: "A plural has its forms in @/lib/format/nouns; use pluralize.",
  },
  {
    selector: "BinaryExpression[operator='+'] > Literal[value=/[a-z]{2,} $|^ [a-z]{2,}/]",
    message: "A sentence is one text with placeholders, not joined from parts.",
  },
  {
    selector: "NewExpression[callee.object.name='Intl'] > Literal",
    message: "The language of formats is LOCALE of @/lib/format/locale.",
  },
  {
    selector: "CallExpression[callee.property.name=/^toLocale/]",
    message: "Numbers and times are formatted by @/lib/format.",
  },
];

/** With types a run takes minutes, so that `npm run lint:types` alone asks for them; `make test-whole` does. */
const withTypes = Boolean(process.env.ESLINT_TYPES);

const features = readdirSync(new URL("frontend/src/features", import.meta.url));

export default tseslint.config(
  // Some directives are for rules that ask for types.
  { linterOptions: { reportUnusedDisableDirectives: withTypes ? "warn" : "off" } },
  {
    ignores: ["frontend/dist*/**", "frontend/src/api/generated/schema.ts", "frontend/public/**"],
  },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    // Its other rules run the React Compiler over every file, which no build of the pages uses.
    plugins: { "react-hooks": reactHooks },
    rules: { "react-hooks/rules-of-hooks": "error", "react-hooks/exhaustive-deps": "error" },
  },
  query.configs["flat/recommended"],
  {
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: { projectService: withTypes, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Slow, and they find what is seen in a review.
      "@typescript-eslint/no-deprecated": "off",
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/only-throw-error": [
        "error",
        { allow: [{ from: "package", package: "@tanstack/router-core", name: "Redirect" }] },
      ],
      // The compiler finds them (noUnusedLocals, noUnusedParameters), and this rule takes a quarter of a run.
      "@typescript-eslint/no-unused-vars": "off",
      "no-console": "error",
      "no-restricted-syntax": ["error", ...TRANSLATABLE],
      "no-restricted-globals": [
        "error",
        {
          name: "localStorage",
          message: "Only @/lib/local-preferences may keep things in the browser.",
        },
      ],
      eqeqeq: "error",
    },
  },
  ...LAYERS.filter((layer) => layer !== "features" && layer !== "app").map(layerRule),
  ...features.map(featureRule),
  {
    files: ["frontend/src/lib/local-preferences.ts"],
    rules: { "no-restricted-globals": "off" },
  },
  {
    files: [
      "**/*.test.{ts,tsx}",
      "frontend/mock-api/**",
      "frontend/test-setup.ts",
      "tests/{e2e,story,ui}/**",
    ],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "no-restricted-globals": "off",
    },
  },
  ...(withTypes ? [] : [tseslint.configs.disableTypeChecked]),
);
