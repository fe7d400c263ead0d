import { useMediaQuery } from "@mantine/hooks";
import { useMemo } from "react";
import type { LinkRow } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import {
  pairLabel,
  pairSentence,
  type SitePair,
  sitePairs,
  worstOf,
} from "@/domain/fleet/site-pairs";
import { sitesOf } from "@/domain/fleet/view";
import { type Column, column, DataTable, nameColumn, numberColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { StatusIcon } from "@/ui/StatusIcon";
import css from "./SiteMap.module.css";
import { type Edge, MOST_SITES, NARROW, siteMapLayout, WIDE } from "./site-map-layout";

const CHARACTER = 7.1;
const LABEL_HEIGHT = 24;

const pairSearch = (pair: SitePair) => ({ view: "table" as const, pair: pair.key });

const Line = ({ edge: { pair, from, to, width } }: { edge: Edge }) => (
  <line
    x1={from.x}
    y1={from.y}
    x2={to.x}
    y2={to.y}
    strokeWidth={width}
    className={`${css.line} ${css[worstOf(pair)]}`}
  />
);

function Label({ edge: { pair, label }, isShort }: { edge: Edge; isShort: boolean }) {
  const text = isShort ? String(pair.rows.length) : pairLabel(pair);
  const width = text.length * CHARACTER + 34;
  return (
    <AppLink
      to="/links"
      search={pairSearch(pair)}
      aria-label={pairSentence(pair)}
      className={css.edge}
    >
      <g
        transform={`translate(${label.x - width / 2} ${label.y - LABEL_HEIGHT / 2})`}
        className={css[worstOf(pair)]}
      >
        <rect width={width} height={LABEL_HEIGHT} rx={LABEL_HEIGHT / 2} className={css.plate} />
        <g transform="translate(9 6)">
          <StatusIcon tone={worstOf(pair)} />
        </g>
        <text x={26} y={16.5} className={css.text}>
          {text}
        </text>
      </g>
    </AppLink>
  );
}

function Picture({ names, pairs }: { names: readonly string[]; pairs: readonly SitePair[] }) {
  const isPhone = useMediaQuery("(max-width: 600px)", false, { getInitialValueInEffect: false });
  const size = isPhone ? NARROW : WIDE;
  const { sites, edges, top, height } = useMemo(
    () => siteMapLayout(names, pairs, size),
    [names, pairs, size],
  );
  const most = Math.floor(size.site.width / CHARACTER) - 1;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields; this groups the links in a drawing
    <svg
      viewBox={`0 ${top} ${size.width} ${height}`}
      className={css.map}
      role="group"
      aria-label="Map of sites"
    >
      {edges.map((edge) => (
        <Line key={edge.pair.key} edge={edge} />
      ))}
      {sites.map(({ name, x, y }) => (
        <g key={name} transform={`translate(${x} ${y})`}>
          <rect
            x={-size.site.width / 2}
            y={-size.site.height / 2}
            width={size.site.width}
            height={size.site.height}
            rx={9}
            className={css.site}
          />
          <text textAnchor="middle" y={5} className={css.siteName}>
            {name.length > most ? `${name.slice(0, most - 1)}…` : name}
            <title>{name}</title>
          </text>
        </g>
      ))}
      {edges.map((edge) => (
        <Label key={edge.pair.key} edge={edge} isShort={isPhone} />
      ))}
    </svg>
  );
}

const COLUMNS: readonly Column<SitePair>[] = [
  nameColumn("Sites", (pair) => (
    <AppLink to="/links" search={pairSearch(pair)}>
      {pair.key}
    </AppLink>
  )),
  numberColumn("Links", ({ rows }) => rows.length),
  column("States", ({ states }) => (
    <div className="row">
      {states.map(({ word, tone, count }) => (
        <StatusChip key={word} tone={tone}>
          {count} {word.toLowerCase()}
        </StatusChip>
      ))}
    </div>
  )),
];

/** Which sites are linked, and how the links between them are: as a drawing, and as a table. */
export function SiteMap({ rows }: { rows: readonly LinkRow[] }) {
  const [names, pairs] = useMemo(() => [sitesOf(rows), sitePairs(rows)], [rows]);
  return (
    <div className="stack">
      <Panel title="Map of sites">
        {names.length > MOST_SITES ? (
          <p className="dim">
            {names.length} sites are too many for a map; it shows up to {MOST_SITES}. Filter the
            links, or read the table.
          </p>
        ) : (
          <Picture names={names} pairs={pairs} />
        )}
      </Panel>
      <Panel title="Pairs of sites">
        <DataTable
          caption="Pairs of sites"
          columns={COLUMNS}
          rows={pairs}
          rowKey={({ key }) => key}
          empty="No link matches the filter."
        />
      </Panel>
    </div>
  );
}
