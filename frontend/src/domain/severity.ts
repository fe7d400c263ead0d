import type { Link } from "@/api/types";

const SEVERITIES = ["blocker", "unknown", "warning", "info", "ok"];

/** Most severe first; an unknown is more severe than a warning because it blocks. */
export function sortBySeverity<T extends { severity: string }>(findings: readonly T[]): T[] {
  return [...findings].sort(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  );
}

/** Whether a finding has to be read before anything else: it stops something, or the link is not sound. */
export const hasPressingFinding = ({
  state,
  findings,
}: Pick<Link, "state" | "findings">): boolean =>
  findings.some(
    ({ severity }) =>
      severity === "blocker" ||
      severity === "unknown" ||
      (severity === "warning" && state !== "protected"),
  );
