import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { linkQuery } from "@/api/resources/links";
import { tableComparisonQuery } from "@/api/resources/table-comparisons";
import type { LinkDetail, TableComparison } from "@/api/types";
import { LinkTabs } from "@/components/LinkTabs";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ComparedTables } from "./ComparedTables";
import { ComparisonPanel } from "./ComparisonPanel";
import { isUnfinished } from "./comparison-status";
import { RowDifferences } from "./RowDifferences";

function LinkComparison({ link, comparisonId }: { link: LinkDetail; comparisonId: string }) {
  const query = useQuery(tableComparisonQuery(link.id, comparisonId));
  return (
    <>
      <PageHeader title={`Table comparison of ${link.name}`} />
      <LinkTabs link={link} at="tables" />
      <QueryBoundary<TableComparison> query={query} label="the comparison">
        {(comparison) => (
          <div className="stack">
            <ComparisonPanel
              comparison={comparison}
              title={isUnfinished(comparison) ? "Progress" : "Result"}
            />
            <RowDifferences comparison={comparison} />
            <ComparedTables comparison={comparison} />
          </div>
        )}
      </QueryBoundary>
    </>
  );
}

/** One comparison: its tables, and the rows that differ. */
export function ComparisonPage() {
  const { linkId, comparisonId } = useParams({
    from: "/shell/links/$linkId/tables/$comparisonId",
  });
  const query = useQuery(linkQuery(linkId));
  return (
    <QueryBoundary<LinkDetail> query={query} label="the link" heading="Table comparison">
      {(link) => <LinkComparison link={link} comparisonId={comparisonId} />}
    </QueryBoundary>
  );
}
