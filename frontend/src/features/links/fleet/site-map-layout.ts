/** The geometry of the map of sites: the sites on an ellipse, a line for each pair that has links. */
import type { SitePair } from "@/domain/fleet/site-pairs";

/** The names of more sites would cover each other. */
export const MOST_SITES = 24;

export interface MapSize {
  width: number;
  height: number;
  /** Of the box with the name of a site. */
  site: { width: number; height: number };
}

export const WIDE: MapSize = { width: 900, height: 520, site: { width: 148, height: 38 } };
export const NARROW: MapSize = { width: 400, height: 400, site: { width: 96, height: 30 } };

/** Lines through the centre meet there: their labels are not in the middle. */
const CENTER_RADIUS = 50;
const OFF_CENTER = 0.34;
const LOOP_LABEL = 34;

export interface Point {
  x: number;
  y: number;
}

export interface Edge {
  pair: SitePair;
  from: Point;
  to: Point;
  label: Point;
  /** Of the line, by the number of its links. */
  width: number;
}

export interface SiteMapLayout {
  sites: (Point & { name: string })[];
  edges: Edge[];
  /** The part of the drawing that is used: top and height. */
  top: number;
  height: number;
}

const between = (a: Point, b: Point, at: number): Point => ({
  x: a.x + (b.x - a.x) * at,
  y: a.y + (b.y - a.y) * at,
});

function labelOf(from: Point, to: Point, center: Point): Point {
  // A link within one site has no line: its pair is told below the site.
  if (from === to) return { x: from.x, y: from.y + LOOP_LABEL };
  const middle = between(from, to, 0.5);
  const isCentral = Math.hypot(middle.x - center.x, middle.y - center.y) < CENTER_RADIUS;
  return isCentral ? between(from, to, OFF_CENTER) : middle;
}

/** The places of the sites, in the order given, and of the lines between them. */
export function siteMapLayout(
  names: readonly string[],
  pairs: readonly SitePair[],
  { width, height, site }: MapSize,
): SiteMapLayout {
  const center = { x: width / 2, y: height / 2 };
  const radius = { x: (width - site.width) / 2 - 4, y: (height - site.height) / 2 - LOOP_LABEL };
  const sites = names.map((name, index) => {
    const angle = (2 * Math.PI * index) / names.length - Math.PI;
    return {
      name,
      x: center.x + radius.x * Math.cos(angle),
      y: center.y + radius.y * Math.sin(angle),
    };
  });
  const placeOf = new Map(sites.map((place) => [place.name, place]));
  const edges = pairs.flatMap((pair) => {
    const [from, to] = pair.sites.map((name) => placeOf.get(name));
    if (!from || !to) return [];
    const label = labelOf(from, to, center);
    return [{ pair, from, to, label, width: Math.min(6, 1.5 + Math.sqrt(pair.rows.length) / 2) }];
  });
  const rows = sites.map(({ y }) => y);
  const top = Math.min(...rows) - site.height;
  return { sites, edges, top, height: Math.max(...rows) + site.height + LOOP_LABEL - top };
}
