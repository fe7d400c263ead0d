/** How uPlot draws the lag: a band from minimum to maximum with the average as a line, for each direction. */
import uPlot from "uplot";
import type { LagPoint } from "@/api/types";
import { statusFor } from "@/domain/status";
import { LOCALE } from "@/lib/format/locale";
import { formatNumber } from "@/lib/format/number";
import { formatClock, type Zone, zoneNameOf } from "@/lib/format/time";
import { LOCAL } from "@/lib/format/zone";
import { isolated } from "./chart-data";
import type { Domain } from "./lag-range";
import type { Marker } from "./marker-layout";

export const HEIGHT = 190;
/** Left of the plot stand the numbers; on its right is room for half of the last time. */
const LEFT = 56;
const RIGHT = 14;
const STRIP_TOP = 4;
const STRIP_HEIGHT = 8;
const DAY_S = 86_400;

/** What the drawing reads when it draws; the values change without a new chart. */
export interface Drawn {
  domain: Domain;
  points: readonly (LagPoint | null)[];
  resolutionS: number;
  markers: readonly Marker[];
}

export interface Handlers {
  onPoint: (index: number | null) => void;
  onBrush: (domain: Domain) => void;
}

const color = (name: string) =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** How much of the strip a state fills: what is worse is higher, so that it reads without colour. */
const STRIP = { ok: 0.25, warn: 0.6, unknown: 0.6, bad: 1, info: 0.25, neutral: 0.25 } as const;

interface Stretch {
  from: number;
  to: number;
  state: string;
}

/** Neighbours of one state as one stretch. */
function stretchesOf({ points, resolutionS }: Drawn): Stretch[] {
  const stretches: Stretch[] = [];
  for (const point of points) {
    if (!point) continue;
    const from = Date.parse(point.at) / 1000;
    const last = stretches.at(-1);
    if (last?.state === point.state && from <= last.to) last.to = from + resolutionS;
    else stretches.push({ from, to: from + resolutionS, state: point.state });
  }
  return stretches;
}

function drawStates(plot: uPlot, drawn: Drawn): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const bottom = bbox.top + bbox.height + (STRIP_TOP + STRIP_HEIGHT) * scale;
  const position = (at: number) =>
    Math.min(Math.max(plot.valToPos(at, "x", true), bbox.left), bbox.left + bbox.width);
  ctx.save();
  for (const { from, to, state } of stretchesOf(drawn)) {
    const { tone } = statusFor("link", state);
    const left = position(from);
    const height = STRIP_HEIGHT * scale * STRIP[tone];
    ctx.fillStyle = color(tone);
    ctx.fillRect(left, bottom - height, Math.max(position(to) - left, scale), height);
  }
  ctx.restore();
}

/** A dashed line from each marker of the lane into the plot. */
function drawMarkers(plot: uPlot, { markers }: Drawn): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const { x, tone } of markers) {
    ctx.strokeStyle = color(tone === "info" ? "accent" : tone);
    ctx.beginPath();
    ctx.moveTo(bbox.left + x * devicePixelRatio, bbox.top);
    ctx.lineTo(bbox.left + x * devicePixelRatio, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

/** The zone's name as the browser's formats take it: none for the zone of this computer. */
const timeZoneOf = (zone: Zone) => {
  const name = zoneNameOf(zone);
  return name === LOCAL ? undefined : name;
};

/** Times with seconds, minutes or days, as far apart as the ticks are. */
function tickLabels(
  zone: Zone,
): (plot: uPlot, ticks: number[], i: number, s: number, incr: number) => string[] {
  const day = new Intl.DateTimeFormat(LOCALE, {
    day: "numeric",
    month: "short",
    timeZone: timeZoneOf(zone),
  });
  const on24h = { timeZone: zoneNameOf(zone), is12h: false };
  return (_, ticks, __, ___, incr) => {
    if (incr >= DAY_S) return ticks.map((tick) => day.format(tick * 1000));
    let shown = "";
    return ticks.map((tick) => {
      const clock = formatClock(tick * 1000, on24h).slice(0, incr < 60 ? 8 : 5);
      const date = day.format(tick * 1000);
      const isNew = shown !== "" && date !== shown;
      shown = date;
      return isNew ? date : clock;
    });
  };
}

function axes(zone: Zone): uPlot.Axis[] {
  const look = {
    stroke: color("faint"),
    font: `11px ${color("font")}`,
    ticks: { show: false },
    grid: { stroke: color("line"), width: 1 },
  };
  return [
    {
      ...look,
      size: 38,
      gap: STRIP_TOP + STRIP_HEIGHT + 5,
      space: 80,
      grid: { show: false },
      values: tickLabels(zone),
    },
    {
      ...look,
      size: LEFT,
      incrs: [1, 2, 5]
        .flatMap((n) => Array.from({ length: 9 }, (_, e) => n * 10 ** e))
        .sort((a, b) => a - b),
      values: (_, ticks) => ticks.map((tick) => formatNumber(tick)),
    },
  ];
}

/** Average, minimum and maximum of one direction; only the average has a line. */
function seriesOf(label: string, stroke: string, dash: number[]): uPlot.Series[] {
  const line: uPlot.Series = {
    label,
    stroke,
    width: 2,
    dash,
    spanGaps: false,
    points: {
      show: true,
      size: 5,
      fill: stroke,
      filter: (plot, index) => isolated(plot.data[index] ?? []),
    },
  };
  const edge: uPlot.Series = {
    stroke: "transparent",
    width: 0,
    spanGaps: false,
    points: { show: false },
  };
  return [line, edge, edge];
}

/** What draws the chart in the colors of the current scheme. */
export function chartOptions(
  width: number,
  zone: Zone,
  drawn: () => Drawn,
  { onPoint, onBrush }: Handlers,
): uPlot.Options {
  const [forward, reverse] = [color("accent"), color("warn")];
  const name = timeZoneOf(zone);
  return {
    width,
    height: HEIGHT,
    padding: [8, RIGHT, 0, 0],
    ...(name ? { tzDate: (at: number) => uPlot.tzDate(new Date(at * 1000), name) } : {}),
    axes: axes(zone),
    legend: { show: false },
    cursor: {
      y: false,
      points: { size: 6, show: true },
      drag: { x: true, y: false, setScale: false, dist: 6 },
    },
    scales: {
      x: { range: () => [drawn().domain.from / 1000, drawn().domain.to / 1000] },
      y: { range: (_, __, max) => [0, Math.max(10, Math.ceil(max * 1.1))] },
    },
    series: [{}, ...seriesOf("forward", forward, []), ...seriesOf("reverse", reverse, [6, 4])],
    bands: [
      { series: [3, 2], fill: `color-mix(in srgb, ${forward} 22%, transparent)` },
      { series: [6, 5], fill: `color-mix(in srgb, ${reverse} 22%, transparent)` },
    ],
    hooks: {
      draw: [(plot) => drawStates(plot, drawn()), (plot) => drawMarkers(plot, drawn())],
      setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const { left, width: length } = plot.select;
          if (length <= 0) return;
          const at = (position: number) => plot.posToVal(position, "x") * 1000;
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          onBrush({ from: at(left), to: at(left + length) });
        },
      ],
    },
  };
}
