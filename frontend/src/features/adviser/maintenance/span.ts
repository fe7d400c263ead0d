const UNITS = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
  [1, "s"],
] as const;

/** A time to plan with: "2 d 4 h", "1 h 20 min", "45 s"; two units at most, rounded down. */
export function formatSpan(seconds: number): string {
  const whole = Math.floor(Math.max(0, seconds));
  const at = UNITS.findIndex(([size]) => whole >= size);
  const unit = UNITS[at];
  if (unit === undefined) return "0 s";
  const part = UNITS[at + 1];
  const rest = part === undefined ? 0 : Math.floor((whole % unit[0]) / part[0]);
  return `${Math.floor(whole / unit[0])} ${unit[1]}${part && rest ? ` ${rest} ${part[1]}` : ""}`;
}
