/** The lag curve and the history of a link. */
import type { HistoryEntry, LagCurve, LagPoint } from "@/api/types";
import { ago } from "./clusters";

const POINTS = 180;

function lagPoint(seconds: number, i: number, lostAt: number): LagPoint {
  const since = (Date.now() - seconds * 1000 - lostAt) / 1000;
  const noise = Math.round(18 + 14 * Math.sin(i / 5) + 9 * Math.sin(i / 2.3));
  return {
    at: ago(seconds),
    forward_gap: since > 0 ? Math.round(since * 86) + noise : noise,
    forward_lag_s: 0,
    reverse_gap: since > 0 ? null : 2,
    reverse_lag_s: 0,
  };
}

export function lagCurve(minutes: number, lostAt: number): LagCurve {
  const step = (minutes * 60) / POINTS;
  return {
    points: Array.from({ length: POINTS + 1 }, (_, i) => lagPoint((POINTS - i) * step, i, lostAt)),
    marks: [
      { at: ago(420), kind: "probe.ok", label: "probe ok in both directions" },
      { at: new Date(lostAt).toISOString(), kind: "node.lost", label: "db-a1 lost" },
    ],
  };
}

const entry = (at: string, kind: string, label: string, actor: string | null): HistoryEntry => ({
  at,
  kind,
  label,
  run_id: null,
  actor,
});

export const linkHistory = (lostAt: number): HistoryEntry[] => [
  entry(new Date(lostAt).toISOString(), "node.lost", "db-a1 is not responding", null),
  entry(ago(420), "check", "Readiness checked: relocate in 0.9 s", null),
  entry(ago(86_400 * 18), "run", "Relocated to db-a1 ⇄ db-b1, lost 0", "operator-2"),
];
