/**
 * Where the events of a time stand in the lane above the chart, in pixels. Markers never overlap: those too close
 * share one. Words stand only between two markers, so that they cover neither a marker nor other words.
 */
import type { LagEvent } from "@/api/types";
import { statusFor } from "@/domain/status";
import type { Tone } from "@/ui/StatusIcon";
import type { Domain } from "./lag-range";

/** Width of a marker: large enough to be hit. */
export const MARKER = 24;
/** Between a marker and words. */
const SPACE = 5;
const LONGEST_WORDS = 210;
const SHORTEST_WORDS = 70;

const BY_SEVERITY: readonly Tone[] = ["neutral", "ok", "info", "warn", "unknown", "bad"];

export interface Words {
  left: number;
  width: number;
  /** The words stand to the left of their marker. */
  isBefore: boolean;
}

export interface Marker {
  /** The middle of the marker. */
  x: number;
  events: readonly LagEvent[];
  tone: Tone;
  /** The words of the most severe event. */
  label: string;
  /** How many events besides it. */
  more: number;
  words: Words | null;
}

interface Group {
  events: LagEvent[];
  sum: number;
  x: number;
}

const toneOf = (event: LagEvent): Tone => statusFor("severity", event.severity).tone;

/** The most severe of the events; of equal ones the latest. */
function mostSevere(events: readonly LagEvent[]): LagEvent | undefined {
  const rank = (event: LagEvent) => BY_SEVERITY.indexOf(toneOf(event));
  return events.reduce<LagEvent | undefined>(
    (worst, event) => (worst && rank(worst) > rank(event) ? worst : event),
    undefined,
  );
}

function grouped(events: readonly LagEvent[], domain: Domain, width: number): Group[] {
  const groups: Group[] = [];
  const inside = (x: number) => Math.min(Math.max(x, MARKER / 2), width - MARKER / 2);
  const shown = events
    .map((event) => ({ event, at: Date.parse(event.at) }))
    .filter(({ at }) => at >= domain.from && at <= domain.to)
    .sort((a, b) => a.at - b.at);
  for (const { event, at } of shown) {
    const place = ((at - domain.from) / (domain.to - domain.from)) * width;
    groups.push({ events: [event], sum: place, x: inside(place) });
    for (;;) {
      const [before, last] = [groups.at(-2), groups.at(-1)];
      if (!before || !last || last.x - before.x >= MARKER) break;
      groups.pop();
      before.events.push(...last.events);
      before.sum += last.sum;
      before.x = inside(before.sum / before.events.length);
    }
  }
  return groups;
}

/** The free spaces between the markers: the one before each, and the one after the last. */
function spaces(groups: readonly Group[], width: number): Space[] {
  const edges = [-MARKER / 2, ...groups.map(({ x }) => x), width + MARKER / 2];
  return edges.slice(1).map((edge, index) => {
    const left = (edges[index] ?? 0) + MARKER / 2;
    return { left: left + SPACE, width: edge - MARKER / 2 - left - 2 * SPACE };
  });
}

/** About what the words take; the style sheet cuts those that take more. */
const widthOf = ({ length }: string, more: number) => length * 6.2 + (more > 0 ? 26 : 0);

interface Space {
  left: number;
  width: number;
}

/** The words in the first space that holds all of them, else in the widest that holds some. */
function placed(wanted: number, before: Space | undefined, after: Space | undefined): Words | null {
  const width = Math.max(Math.min(wanted, LONGEST_WORDS), SHORTEST_WORDS);
  const inside = (space: Space | undefined, isBefore: boolean): Words[] => {
    if (!space || space.width < SHORTEST_WORDS) return [];
    const taken = Math.min(space.width, width);
    const left = isBefore ? space.left + space.width - taken : space.left;
    return [{ left, width: taken, isBefore }];
  };
  const possible = [...inside(after, false), ...inside(before, true)];
  return possible.reduce<Words | null>(
    (best, words) => (best && best.width >= words.width ? best : words),
    null,
  );
}

/** The markers of the events in the domain, the newest first in the choice of the free spaces. */
export function layoutMarkers(
  events: readonly LagEvent[],
  domain: Domain,
  width: number,
): readonly Marker[] {
  if (width < MARKER) return [];
  const groups = grouped(events, domain, width);
  const free = spaces(groups, width);
  const taken = new Set<number>();
  const markers = groups.map((group, index) => ({ group, index })).reverse();
  return markers
    .map(({ group, index }): Marker => {
      const worst = mostSevere(group.events);
      const label = worst?.label ?? "";
      const more = group.events.length - 1;
      const after = taken.has(index + 1) ? undefined : free[index + 1];
      const words = placed(widthOf(label, more), free[index], after);
      if (words) taken.add(words.isBefore ? index : index + 1);
      return {
        x: group.x,
        events: group.events,
        tone: worst ? toneOf(worst) : "neutral",
        label,
        more,
        words,
      };
    })
    .reverse();
}
