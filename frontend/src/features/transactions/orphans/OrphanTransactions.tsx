import { orphanPagesQuery } from "@/api/resources/orphans";
import type { LinkDetail, Orphan, Orphans } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { usePagedQuery } from "@/components/use-paged-query";
import { formatNumber, pluralize } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import { OrphanList } from "./OrphanList";
import { filterByTable } from "./row-changes";

interface OrphanTransactionsProps {
  link: LinkDetail;
  orphans: Orphans;
  table: string | undefined;
}

/** The orphaned transactions page by page, filtered by table. */
export function OrphanTransactions({ link, orphans, table }: OrphanTransactionsProps) {
  const pages = usePagedQuery(orphanPagesQuery(link.id));
  const shown = filterByTable(pages.data ?? [], table);
  return (
    <Panel
      title="Transactions"
      aside={`${formatNumber(shown.length)} shown of ${pluralize(orphans.transactions, "transaction")}`}
    >
      <QueryBoundary<Orphan[]> query={pages} label="the orphaned transactions">
        {(all) =>
          all.length === 0 ? (
            <p className="dim">Row contents are visible to operators only.</p>
          ) : (
            <OrphanList orphans={shown} table={table} more={pages.more} />
          )
        }
      </QueryBoundary>
    </Panel>
  );
}
