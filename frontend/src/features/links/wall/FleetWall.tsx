import { type CSSProperties, useMemo } from "react";
import type { LinkRow } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { DataAge } from "@/components/DataAge";
import { useDataAge } from "@/components/use-data-age";
import { Wall } from "@/components/wall/Wall";
import { WallState } from "@/components/wall/WallState";
import { asUnknown, visibleRows } from "@/domain/fleet/view";
import { backlogText, columnsFor, MOST_TILES, stateCounts } from "@/domain/fleet/wall";
import { operationLabel } from "@/domain/operations";
import { statusFor } from "@/domain/status";
import { pluralize } from "@/lib/format/number";
import { useLinkView } from "../fleet/use-link-view";
import { useIsStale } from "../use-is-stale";
import css from "./FleetWall.module.css";

function Tile({ row }: { row: LinkRow }) {
  const { tone, word } = statusFor("link", row.state);
  const [reason] = row.attention;
  return (
    <li>
      <AppLink
        to="/links/$linkId"
        params={{ linkId: row.id }}
        search={{ view: "wall" }}
        className={`${css.tile} ${css[tone]}`}
      >
        <span className={css.name}>{row.name}</span>
        <WallState tone={tone}>{word}</WallState>
        <span className={css.line}>
          {row.active_cluster.site} → {row.standby_cluster.site}
        </span>
        <span className={css.line}>{backlogText(row)}</span>
        {row.active_run && <span>{operationLabel(row.active_run.kind)} running</span>}
        {row.pause && <span>Maintenance</span>}
        {reason && (
          <span className={css.reason} title={reason.sentence}>
            {reason.sentence}
          </span>
        )}
      </AppLink>
    </li>
  );
}

/** The links for a wall: how many are in each state, and the most urgent ones as tiles. */
export function FleetWall({ rows: read, readAt }: { rows: readonly LinkRow[]; readAt: number }) {
  const { search } = useLinkView();
  const age = useDataAge(0, readAt);
  const isStale = useIsStale(0, readAt);
  const rows = useMemo(
    () => visibleRows(isStale ? read.map(asUnknown) : read, search),
    [read, isStale, search],
  );
  const tiles = rows.slice(0, MOST_TILES);
  const rest = rows.length - tiles.length;
  return (
    <Wall
      title={pluralize(rows.length, "link")}
      right={
        <>
          <DataAge ageS={age} />
          <AppLink to="/links" search={{ ...search, view: undefined }}>
            Close
          </AppLink>
        </>
      }
      body={
        <>
          <ul
            className={css.tiles}
            style={{ "--columns": columnsFor(tiles.length) } as CSSProperties}
          >
            {tiles.map((row) => (
              <Tile key={row.id} row={row} />
            ))}
          </ul>
          {rest > 0 && <p className={css.rest}>and {pluralize(rest, "link")} less urgent</p>}
        </>
      }
    >
      {stateCounts(rows).map(({ state, tone, word, count }) => (
        <WallState key={state} tone={tone}>
          {count} {word.toLowerCase()}
        </WallState>
      ))}
    </Wall>
  );
}
