import { isKnownZone, LOCAL, UTC } from "@/lib/format/zone";

/** Names that replaced older ones: a browser may still list only the older, and takes both. */
const CURRENT_NAMES = [
  "America/Argentina/Buenos_Aires",
  "America/Nuuk",
  "Asia/Ho_Chi_Minh",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Asia/Yangon",
  "Atlantic/Faroe",
  "Europe/Kyiv",
  "Pacific/Chuuk",
  "Pacific/Pohnpei",
];

const named = (): string[] => {
  const names = [...Intl.supportedValuesOf("timeZone"), ...CURRENT_NAMES.filter(isKnownZone)];
  return [...new Set(names)].filter((name) => name !== UTC).sort();
};

/** All zones that this browser knows; UTC and that of this computer come first. */
export function zoneOptions(current: string): { value: string; label: string }[] {
  const names = named();
  // A zone that another browser chose stays selectable.
  const isListed = current === UTC || current === LOCAL || names.includes(current);
  return [
    { value: UTC, label: "UTC" },
    { value: LOCAL, label: `Local: ${Intl.DateTimeFormat().resolvedOptions().timeZone}` },
    ...(isListed ? names : [current, ...names]).map((name) => ({ value: name, label: name })),
  ];
}
