const GRAVITY = ["blocker", "unknown", "warning", "info", "ok"];
/** Gravest first; an unknown is graver than a warning because it blocks. */

export function sortBySeverity<T extends { severity: string }>(findings: readonly T[]): T[] {
  return [...findings].sort((a, b) => GRAVITY.indexOf(a.severity) - GRAVITY.indexOf(b.severity));
}
