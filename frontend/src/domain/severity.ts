const SEVERITIES = ["blocker", "unknown", "warning", "info", "ok"];

/** Most severe first; an unknown is more severe than a warning because it blocks. */
export function sortBySeverity<T extends { severity: string }>(findings: readonly T[]): T[] {
  return [...findings].sort(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  );
}
