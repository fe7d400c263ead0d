import type uPlot from "uplot";
import type { LagEvent } from "@/api/types";

/** The tone of an event in the chart, by its kind. */
export function annotationTone(mark: LagEvent): "ok" | "bad" | "warn" | "accent" {
  if (/lost|down|broken|fail|stop/.test(mark.kind)) return "bad";
  if (/back|up|succeeded|restored|ok|protected/.test(mark.kind)) return "ok";
  return /run|plan|relocat/.test(mark.kind) ? "accent" : "warn";
}

export interface AnnotationGroup {
  at: number;
  label: string;
  tone: ReturnType<typeof annotationTone>;
}

const LONGEST = 34;
const shorten = (label: string) =>
  label.length > LONGEST ? `${label.slice(0, LONGEST - 1).trimEnd()}…` : label;

/** Events that are too close to be drawn separately share one line: it names the most severe, and counts the others. */
export function groupAnnotations(
  marks: readonly LagEvent[],
  nearSeconds: number,
): AnnotationGroup[] {
  const groups: LagEvent[][] = [];
  for (const mark of [...marks].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))) {
    const last = groups.at(-1);
    const first = last?.[0];
    if (last && first && (Date.parse(mark.at) - Date.parse(first.at)) / 1000 <= nearSeconds)
      last.push(mark);
    else groups.push([mark]);
  }
  return groups.flatMap((group) => {
    const labelled = group.find((mark) => annotationTone(mark) === "bad") ?? group[0];
    if (!labelled) return [];
    const more = group.length > 1 ? ` +${group.length - 1}` : "";
    return [
      {
        at: Date.parse(labelled.at) / 1000,
        label: shorten(labelled.label) + more,
        tone: annotationTone(labelled),
      },
    ];
  });
}

type ColorOf = (name: AnnotationGroup["tone"] | "panel") => string;

interface Words {
  group: AnnotationGroup;
  x: number;
  inward: boolean;
  row: number;
}

/** Draw each group as a dashed line with its words, turned inward near the right edge. Newer groups take free rows first. */
export function drawAnnotations(
  plot: uPlot,
  marks: readonly LagEvent[],
  colorOf: ColorOf,
  font: string,
): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const taken: { from: number; to: number }[][] = [];
  const words: Words[] = [];
  const perPixel = plot.posToVal(1, "x") - plot.posToVal(0, "x");
  ctx.save();
  ctx.font = `${11 * scale}px ${font}`;
  ctx.setLineDash([3 * scale, 3 * scale]);
  for (const group of groupAnnotations(marks, perPixel * 24).reverse()) {
    const x = plot.valToPos(group.at, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = colorOf(group.tone);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const width = ctx.measureText(group.label).width + 12 * scale;
    const inward = x + width > bbox.left + bbox.width;
    const span = inward ? { from: x - width, to: x } : { from: x, to: x + width };
    const free = taken.findIndex((row) =>
      row.every((other) => span.to < other.from || span.from > other.to),
    );
    const row = free === -1 ? taken.length : free;
    if (row > 3) continue;
    taken[row] = [...(taken[row] ?? []), span];
    words.push({ group, x, inward, row });
  }
  drawWords(plot, words, colorOf);
  ctx.restore();
}

/** After all lines, on an edge of the panel color, since a line through a word makes it hard to read. */
function drawWords({ ctx, bbox }: uPlot, words: readonly Words[], colorOf: ColorOf): void {
  const scale = devicePixelRatio;
  ctx.setLineDash([]);
  ctx.lineWidth = 4 * scale;
  ctx.lineJoin = "round";
  ctx.strokeStyle = colorOf("panel");
  for (const { group, x, inward, row } of words) {
    const place = [x + (inward ? -5 : 5) * scale, bbox.top + (11 + row * 14) * scale] as const;
    ctx.textAlign = inward ? "right" : "left";
    ctx.fillStyle = colorOf(group.tone);
    ctx.strokeText(group.label, ...place);
    ctx.fillText(group.label, ...place);
  }
}
