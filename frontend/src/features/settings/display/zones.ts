import { LOCAL, UTC } from "@/lib/format/zone";

/** All zones that this browser knows; UTC and that of this computer come first. */
export function zoneOptions(current: string): { value: string; label: string }[] {
  const named = Intl.supportedValuesOf("timeZone").filter((name) => name !== UTC);
  // A zone that another browser chose stays selectable.
  const known = current === UTC || current === LOCAL || named.includes(current);
  return [
    { value: UTC, label: "UTC" },
    { value: LOCAL, label: `Local: ${Intl.DateTimeFormat().resolvedOptions().timeZone}` },
    ...(known ? named : [current, ...named]).map((name) => ({ value: name, label: name })),
  ];
}
