import { useComputedColorScheme } from "@mantine/core";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useTimeZone } from "@/components/TimeZoneProvider";
import type { Columns } from "./chart-data";
import { chartOptions, type Drawn, type Handlers, HEIGHT } from "./chart-options";
import css from "./Lag.module.css";

interface LagChartProps extends Handlers {
  columns: Columns;
  drawn: Omit<Drawn, "points">;
  label: string;
  /** The point at the cursor in words, and its number. */
  valueText: string;
  index: number | null;
  onKey: (key: string) => void;
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 };

/** The index to which a key moves the cursor; null for other keys. */
function targetOf(key: string, index: number | null, count: number): number | null {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = STEPS[key];
  if (step === undefined) return null;
  return Math.min(Math.max((index ?? count - 1) + step, 0), count - 1);
}

/** The chart: drawn again for another scheme, zone or width, else only its data is set. */
export default function LagChart(props: LagChartProps) {
  const { columns, drawn, label, valueText, index } = props;
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const latest = useRef<Drawn>({ ...drawn, points: columns.points });
  const { zone } = useTimeZone();
  const scheme = useComputedColorScheme();
  const onPoint = useEffectEvent((at: number | null) => props.onPoint(at));
  const onBrush = useEffectEvent((domain: Drawn["domain"]) => props.onBrush(domain));
  const data = useEffectEvent(() => columns.data);
  // A new scheme means new colors on the canvas: it is drawn again, though no value changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme is read through the style sheet
  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    const handlers = {
      onPoint: (at: number | null) => onPoint(at),
      onBrush: (domain: Drawn["domain"]) => onBrush(domain),
    };
    const options = chartOptions(element.clientWidth, zone, () => latest.current, handlers);
    const made = new uPlot(options, data(), element);
    plot.current = made;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth !== made.width)
        made.setSize({ width: element.clientWidth, height: HEIGHT });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [zone, scheme]);
  useEffect(() => {
    latest.current = { ...drawn, points: columns.points };
    plot.current?.setData(columns.data);
  }, [columns, drawn]);
  const onKeyDown = (event: KeyboardEvent) => {
    const chart = plot.current;
    const target = targetOf(event.key, index, columns.points.length);
    if (chart && target !== null && target >= 0) {
      // The middle of the first point may be before the plot, where uPlot has no cursor.
      const left = Math.max(0, chart.valToPos(columns.data[0][target] ?? 0, "x"));
      chart.setCursor({ left: Math.min(left, chart.over.clientWidth), top: HEIGHT / 2 });
    } else if (["+", "=", "-", "Escape"].includes(event.key)) props.onKey(event.key);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={holder}
      className={css.chart}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, columns.points.length - 1)}
      aria-valuenow={index ?? Math.max(0, columns.points.length - 1)}
      aria-valuetext={valueText}
      onKeyDown={onKeyDown}
    />
  );
}
