/** `g`, then one of these letters, opens the page. */
export const PAGE_KEYS = {
  "/links": { key: "l", label: "Links" },
  "/runs": { key: "r", label: "Runs" },
  "/incidents": { key: "i", label: "Incidents" },
  "/history": { key: "h", label: "History" },
  "/waiting": { key: "w", label: "Approvals" },
  "/audit": { key: "a", label: "Audit" },
  "/lookup": { key: "x", label: "Lookup" },
  "/clusters": { key: "c", label: "Clusters" },
  "/lab": { key: "b", label: "Lab" },
  "/settings": { key: "s", label: "Settings" },
} as const;

/** All keys of the console and what they do. */
export const SHORTCUTS: readonly { keys: string; effect: string }[] = [
  { keys: "Ctrl K", effect: "Open the command palette (on a Mac: ⌘ K)" },
  ...Object.values(PAGE_KEYS).map(({ key, label }) => ({
    keys: `g ${key}`,
    effect: `Open ${label}`,
  })),
  { keys: "/", effect: "In the list of links: go to the filter" },
  {
    keys: "j k ↓ ↑",
    effect: "In the list of links: next and previous link (Home, End: first and last)",
  },
  { keys: "Enter", effect: "In the list of links: open the link" },
  { keys: "x Space", effect: "In the list of links: select the link, or no longer" },
  { keys: "Esc", effect: "Close the open menu, dialog or palette" },
];
