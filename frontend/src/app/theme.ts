import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from "@mantine/core";

const teal: MantineColorsTuple = [
  "#e3f1f5",
  "#cde5ec",
  "#a3d0dd",
  "#76bbce",
  "#4fb3d1",
  "#2b92b1",
  "#147a9a",
  "#0b6b8a",
  "#095871",
  "#06455a",
];

/** Greys of the dark scheme, equal to the tokens of tokens.css; Mantine's own have another hue. */
const dark: MantineColorsTuple = [
  "#e6ebf1",
  "#a6b2bf",
  "#8e9caa",
  "#66788a",
  "#384656",
  "#273240",
  "#1c2631",
  "#151d26",
  "#0e141b",
  "#0a0f15",
];

/** Text on the accent color: dark on the light teal of the dark scheme. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input);
  const accent = input.color === undefined || input.color === "teal";
  return input.variant === "filled" && accent
    ? { ...resolved, color: "var(--accent-ink)" }
    : resolved;
};

/** The Mantine theme: one accent color, light borders, small radii. */
export const theme = createTheme({
  primaryColor: "teal",
  primaryShade: { light: 7, dark: 4 },
  colors: { teal, dark },
  autoContrast: true,
  variantColorResolver,
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--mono)",
  defaultRadius: 8,
  cursorType: "pointer",
  components: {
    // Unless told otherwise the button that shows a password is hidden from keyboard and screen reader.
    PasswordInput: {
      defaultProps: {
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { "aria-label": "Show the password" },
      },
    },
    // Letters are taller than the line of height 1 that a button has by itself: their lower ends were cut off.
    Button: {
      defaultProps: { size: "sm" },
      styles: { label: { fontWeight: 600, lineHeight: 1.3 } },
    },
    Input: {
      vars: () => ({
        wrapper: { "--input-bd": "var(--line-strong)", "--input-bg": "var(--panel)" },
      }),
    },
    Tooltip: {
      defaultProps: { openDelay: 250, events: { hover: true, focus: true, touch: true } },
    },
    Modal: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Dismiss" } } },
  },
});

const shared = {
  "--mantine-color-body": "var(--panel)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--dim)",
  "--mantine-color-default": "var(--panel)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-border": "var(--edge-soft)",
  "--mantine-color-default-hover": "var(--unknown-soft)",
  "--mantine-color-placeholder": "var(--faint)",
  "--mantine-color-error": "var(--bad)",
  "--mantine-color-anchor": "var(--accent)",
};

export const cssVariables: CSSVariablesResolver = () => ({
  variables: { "--mantine-primary-color-contrast": "var(--accent-ink)" },
  light: shared,
  dark: shared,
});
