/** The lag curve and the history of a link. */
import type { HistoryEntry, LagCurve, LagEvent, LagPoint } from "@/api/types";
import { ago } from "./clusters";

const DAY_MS = 86_400_000;
const KEPT_MS = 75 * DAY_MS;
const STEPS = [1, 2, 5, 10, 30, 60, 180, 300, 1200, 7200, 14_400] as const;
/** Nothing was sampled from so many to so many milliseconds ago. */
const GAPS = [
  [260_000, 200_000],
  [5 * 3_600_000, 4 * 3_600_000],
  [20 * DAY_MS, 18 * DAY_MS],
] as const;

const iso = (at: number) => new Date(at).toISOString();

/** Two directions over one point: quiet, with a burst of writes now and then, and growing since the loss. */
function lagPoint(at: number, step: number, lostAt: number): LagPoint {
  const since = (at - lostAt) / 1000;
  const wave = 24 + 14 * Math.sin(at / 41_000) + 9 * Math.sin(at / 17_000);
  const burst = Math.max(0, Math.sin(at / 300_000) - 0.92) * 2600;
  const spread = 0.35 * wave + Math.min(step, 600) * 0.2;
  const gap = (since > 0 ? since * 86 : burst) + wave;
  const isUnknown = since > 0;
  const numbers = (name: "forward" | "reverse", value: number | null, over: number) => ({
    [`${name}_gap`]: value,
    [`${name}_gap_min`]: value === null ? null : Math.max(0, Math.round(value - over)),
    [`${name}_gap_max`]: value === null ? null : Math.round(value + over),
    [`${name}_gap_unknown`]: value === null ? step : 0,
    [`${name}_lag_s`]: value === null ? null : Math.round(value / 40),
    [`${name}_lag_s_min`]: value === null ? null : 0,
    [`${name}_lag_s_max`]: value === null ? null : Math.round(value / 20),
    [`${name}_lag_s_unknown`]: value === null ? step : 0,
  });
  return {
    at: iso(at),
    state: isUnknown ? "broken" : burst > 100 ? "degraded" : "protected",
    samples: step,
    ...numbers("forward", gap, step > 1 ? spread : 0),
    ...numbers("reverse", isUnknown ? null : 2 + wave / 9, step > 1 ? 2 : 0),
  };
}

const event = (at: number, severity: string, kind: string, label: string): LagEvent => ({
  at: iso(at),
  kind,
  label,
  severity,
  run_id: kind.startsWith("run.") ? "r_past_1" : null,
  actor: kind.startsWith("run.") ? "operator-2" : null,
});

/** A quiet time with a run in it, and much at once when the node is lost. */
function eventsOf(lostAt: number): LagEvent[] {
  const now = Date.now();
  const each = Array.from({ length: 12 }, (_, index) =>
    event(now - (index + 1) * 6 * DAY_MS, "ok", "rehearsal.succeeded", "Rehearsed relocate: 0.9 s"),
  );
  const loss = () => [
    event(lostAt, "blocker", "node.down", "db-a1 is down: connection refused"),
    event(lostAt + 1000, "blocker", "link.broken", "db-a1 is down. Milan is still writable."),
  ];
  return [
    ...each.reverse(),
    event(now - 3 * 3_600_000, "info", "run.started", "Relocate to db-a1 ⇄ db-b1 started"),
    event(now - 3 * 3_600_000 + 900, "ok", "run.succeeded", "Relocated to db-a1 ⇄ db-b1, lost 0"),
    event(now - 420_000, "ok", "probe.ok", "Probe passed in both directions"),
    ...(lostAt < now ? loss() : []),
  ];
}

interface Asked {
  from: number;
  to: number;
  points: number;
  resolution: number | null;
}

export function lagCurve({ from, to, points, resolution }: Asked, lostAt: number): LagCurve {
  const now = Date.now();
  const step = resolution ?? STEPS.find((each) => (to - from) / 1000 / points <= each) ?? 14_400;
  const begins = now - KEPT_MS;
  const first = Math.floor(Math.max(from, begins) / (step * 1000));
  const count = Math.max(0, Math.ceil(to / 1000 / step) - first);
  const isSampled = (at: number) => !GAPS.some(([a, b]) => at > now - a && at < now - b);
  return {
    from: iso(from),
    to: iso(to),
    begins_at: iso(begins),
    resolution_s: step,
    stored_resolution_s: [600, 60, 10].find((width) => step % width === 0) ?? 1,
    gap_after_s: Math.max(1.5 * step, 5),
    points: Array.from({ length: count }, (_, index) => (first + index) * step * 1000)
      .filter(isSampled)
      .map((at) => lagPoint(at, step, lostAt)),
    events: eventsOf(lostAt).filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < to),
    events_left_out: 0,
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
