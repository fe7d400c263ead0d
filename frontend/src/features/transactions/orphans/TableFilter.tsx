import type { LinkDetail, Orphans } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { pluralize } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import css from "./Orphans.module.css";
import { changesOf, tableName } from "./row-changes";

/** The tables that the transactions change; each filters the list of transactions. */
export function TableFilter({ link, orphans }: { link: LinkDetail; orphans: Orphans }) {
  const here = { to: "/links/$linkId/orphans", params: { linkId: link.id } } as const;
  // The router marks the filter in use with aria-current="page".
  const activeOptions = { exact: true };
  return (
    <Panel title="Tables" aside={pluralize(orphans.tables.length, "table")}>
      <ul className={css.tables}>
        <li>
          <AppLink {...here} activeOptions={activeOptions} className={css.table}>
            <span className="strong">All tables</span>
          </AppLink>
        </li>
        {orphans.tables.map((entry) => {
          const name = tableName(entry);
          return (
            <li key={name}>
              <AppLink
                {...here}
                search={{ table: name }}
                className={css.table}
                activeOptions={activeOptions}
              >
                <code>{name}</code>
                <span className="dim">{changesOf(entry)}</span>
              </AppLink>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
