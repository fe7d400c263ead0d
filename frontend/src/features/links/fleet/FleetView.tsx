import { Button } from "@mantine/core";
import { useCallback, useDeferredValue, useMemo } from "react";
import type { LinkRow } from "@/api/types";
import {
  asUnknown,
  defaultLayout,
  environmentsOf,
  hasTooManyCards,
  sitesOf,
  visibleRows,
} from "@/domain/fleet/view";
import { pluralize } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { LinkCards } from "../list/LinkCards";
import { useIsStale } from "../use-is-stale";
import { BulkBar } from "./BulkBar";
import css from "./Fleet.module.css";
import { FleetTable } from "./FleetTable";
import { FleetToolbar, LayoutSwitch } from "./FleetToolbar";
import { SiteMap } from "./SiteMap";
import { useFilterText } from "./use-filter-text";
import { useLinkView } from "./use-link-view";
import { useSelection } from "./use-selection";

const CLEARED = {
  q: undefined,
  state: undefined,
  site: undefined,
  environment: undefined,
  pair: undefined,
  attention: undefined,
  advice: undefined,
};

/** What the filter leaves of the links, and the way to see all of them again. */
function Shown(props: { shown: number; all: number; pair: string | undefined; clear: () => void }) {
  const { shown, all, pair, clear } = props;
  const isFiltered = shown < all || pair !== undefined;
  return (
    <div className={css.shown}>
      <span role="status">
        {isFiltered ? `${shown} of ${pluralize(all, "link")}` : pluralize(all, "link")}
        {pair && ` between ${pair}`}
      </span>
      {isFiltered && (
        <Button size="compact-xs" variant="subtle" onClick={clear}>
          Clear filter
        </Button>
      )}
    </div>
  );
}

/** The registered links as cards, as a table or on a map, filtered as the address says. */
export function FleetView({ rows: read, readAt }: { rows: readonly LinkRow[]; readAt: number }) {
  const { search, change } = useLinkView();
  const store = useCallback((q: string) => change({ q: q || undefined }), [change]);
  const { text, change: changeText } = useFilterText(search.q ?? "", store);
  const isStale = useIsStale(0, readAt);
  const rows = useMemo(() => (isStale ? read.map(asUnknown) : read), [read, isStale]);
  const q = useDeferredValue(text);
  const shown = useMemo(() => visibleRows(rows, { ...search, q }), [rows, search, q]);
  const siteNames = useMemo(() => sitesOf(rows).join("\n"), [rows]);
  // The same array as long as the sites are the same: the toolbar is not drawn again for each reading.
  const sites = useMemo(() => siteNames.split("\n"), [siteNames]);
  const environmentNames = useMemo(() => environmentsOf(rows).join("\n"), [rows]);
  const environments = useMemo(
    () => environmentNames.split("\n").filter(Boolean),
    [environmentNames],
  );
  const selection = useSelection(rows);
  const layout = search.view ?? defaultLayout(rows.length);
  const shownIds = useMemo(() => new Set(shown.map(({ id }) => id)), [shown]);
  // A few cards need no filter; one that the address has is shown all the same.
  const isPlain =
    layout === "cards" && shown.length === rows.length && !hasTooManyCards(rows.length);
  const clear = () => {
    changeText("");
    change(CLEARED);
  };
  return (
    <div className="stack">
      {isStale && layout !== "cards" && (
        <Callout
          tone="unknown"
          title="No answer from the console for more than 5 s: every state is unknown until it answers."
        />
      )}
      {isPlain ? (
        <div className={css.toolbar}>
          <LayoutSwitch layout={layout} change={change} />
        </div>
      ) : (
        <>
          <FleetToolbar
            layout={layout}
            view={search}
            text={text}
            sites={sites}
            environments={environments}
            changeText={changeText}
            change={change}
          />
          <Shown shown={shown.length} all={rows.length} pair={search.pair} clear={clear} />
        </>
      )}
      {shown.length === 0 ? (
        <Callout tone="neutral" title="No link matches the filter." />
      ) : layout === "cards" ? (
        <LinkCards shown={shown} />
      ) : layout === "map" ? (
        <SiteMap rows={shown} />
      ) : (
        <FleetTable rows={shown} view={search} selection={selection} change={change} />
      )}
      {layout === "table" && (
        <BulkBar
          links={selection.rows}
          hidden={selection.rows.filter(({ id }) => !shownIds.has(id)).length}
          clear={selection.clear}
        />
      )}
    </div>
  );
}
