/** The geometry of the map of sites: the sites on an ellipse, a line for each pair that has links. */
import type { SitePair } from "@/domain/fleet/site-pairs";

export const MAP = { width: 900, height: 540 } as const;
/** The names of more sites would cover each other. */
export const MOST_SITES = 24;

const MARGIN = { x: 120, y: 56 } as const;
/** Where on its line a label is: not in the middle, where lines through the centre meet. */
const LABEL_AT = 0.36;

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
}

const between = (a: Point, b: Point, at: number): Point => ({
  x: a.x + (b.x - a.x) * at,
  y: a.y + (b.y - a.y) * at,
});

/** A link within one site has no line: its pair is told at the site. */
export function siteMapLayout(names: readonly string[], pairs: readonly SitePair[]): SiteMapLayout {
  const [centerX, centerY] = [MAP.width / 2, MAP.height / 2];
  const sites = names.map((name, index) => {
    const angle = (2 * Math.PI * index) / names.length - Math.PI;
    return {
      name,
      x: centerX + (centerX - MARGIN.x) * Math.cos(angle),
      y: centerY + (centerY - MARGIN.y) * Math.sin(angle),
    };
  });
  const placeOf = new Map(sites.map((site) => [site.name, site]));
  const edges = pairs.flatMap((pair) => {
    const [from, to] = pair.sites.map((name) => placeOf.get(name));
    if (!from || !to) return [];
    const isLoop = from === to;
    const label = isLoop ? { x: from.x, y: from.y + 34 } : between(from, to, LABEL_AT);
    return [{ pair, from, to, label, width: Math.min(7, 1.5 + Math.sqrt(pair.rows.length)) }];
  });
  return { sites, edges };
}
