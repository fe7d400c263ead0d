import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { LagCurve } from "@/api/types";
import { useTimeZone } from "@/components/TimeZoneProvider";
import { formatClock, type Zone } from "@/lib/format/time";
import { serverNow } from "@/lib/server-clock";
import { drawAnnotations } from "./chart-annotations";
import css from "./LagChart.module.css";

const HEIGHT = 170;

const color = (name: string) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function columns(curve: LagCurve): uPlot.AlignedData {
  return [
    curve.points.map((point) => Date.parse(point.at) / 1000),
    curve.points.map((point) => point.forward_gap),
    curve.points.map((point) => point.reverse_gap),
  ];
}

function axis(zone: Zone, minutes: number): Pick<uPlot.Options, "axes"> {
  const look = {
    stroke: color("--faint"),
    font: `11px ${color("--font")}`,
    ticks: { show: false },
    grid: { stroke: color("--line"), width: 1 },
  };
  return {
    axes: [
      {
        ...look,
        size: 26,
        space: 90,
        grid: { show: false },
        values: (_, ticks) =>
          ticks.map((t) => formatClock(t * 1000, zone).slice(0, minutes <= 5 ? 8 : 5)),
      },
      {
        ...look,
        size: 52,
        incrs: [
          1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000, 1_000_000,
        ],
        values: (_, ticks) => ticks.map((t) => t.toLocaleString("en-US")),
      },
    ],
  };
}

function options(
  width: number,
  zone: Zone,
  minutes: number,
  marks: () => LagCurve["marks"],
): uPlot.Options {
  const now = () => serverNow() / 1000;
  return {
    width,
    height: HEIGHT,
    ...axis(zone, minutes),
    cursor: { y: false, points: { size: 6 } },
    legend: { live: false, show: false },
    scales: {
      x: { range: () => [now() - minutes * 60, now()] },
      y: { range: (_, __, max) => [0, Math.max(10, Math.ceil(max * 1.15))] },
    },
    series: [
      {},
      {
        label: "forward",
        stroke: color("--accent"),
        width: 2,
        spanGaps: false,
        points: { show: false },
      },
      {
        label: "reverse",
        stroke: color("--warn"),
        width: 1.6,
        dash: [6, 4],
        spanGaps: false,
        points: { show: false },
      },
    ],
    hooks: {
      draw: [
        (plot) => drawAnnotations(plot, marks(), (name) => color(`--${name}`), color("--font")),
      ],
    },
  };
}

/** The gap of each direction in transactions over time: forward solid, reverse dashed. Where the line is broken no sample exists. */
export default function LagChart({ curve, minutes }: { curve: LagCurve; minutes: number }) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const latest = useRef(curve);
  const { zone } = useTimeZone();
  const scheme = useComputedColorScheme();
  useEffect(() => {
    latest.current = curve;
    plot.current?.setData(columns(curve));
  }, [curve]);
  // A new scheme means new colors on the canvas: it is drawn again, though no value changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme is read through the style sheet
  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    const made = new uPlot(
      options(element.clientWidth, zone, minutes, () => latest.current.marks),
      columns(latest.current),
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() =>
      made.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [zone, scheme, minutes]);
  const last = curve.points.at(-1);
  const label = `Replication gap in transactions over ${minutes} minutes; now forward ${last?.forward_gap ?? "unknown"}, reverse ${last?.reverse_gap ?? "unknown"}`;
  return (
    <figure>
      <div ref={holder} role="img" aria-label={label} />
      <figcaption className={css.legend}>
        <span>
          <i className={css.forward} /> forward gap (transactions)
        </span>
        <span>
          <i className={css.reverse} /> reverse gap (transactions)
        </span>
      </figcaption>
    </figure>
  );
}
