import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { linkQuery } from "@/api/resources/links";
import {
  comparisonScheduleQuery,
  tableComparisonQuery,
  tableComparisonsQuery,
} from "@/api/resources/table-comparisons";
import type { ComparisonSchedule, LinkDetail, TableComparison } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { LinkTabs } from "@/components/LinkTabs";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { ComparisonPanel } from "./ComparisonPanel";
import { ComparisonSchedulePanel } from "./ComparisonSchedulePanel";
import { isUnfinished } from "./comparison-status";
import { FormerComparisons } from "./FormerComparisons";
import { StartPanel } from "./StartPanel";

/** Read again and again by itself while it runs: the list is read less often. */
function NewestComparison({ listed }: { listed: TableComparison }) {
  const { id, link_id } = listed;
  const { data } = useQuery(tableComparisonQuery(link_id, id));
  return (
    <ComparisonPanel
      comparison={data ?? listed}
      title="Newest comparison"
      aside={
        <ButtonLink
          size="xs"
          variant="default"
          to="/links/$linkId/tables/$comparisonId"
          params={{ linkId: link_id, comparisonId: id }}
        >
          View tables and rows
        </ButtonLink>
      }
    />
  );
}

function Comparisons({ link, rows }: { link: LinkDetail; rows: readonly TableComparison[] }) {
  const [newest, ...former] = rows;
  const mayStart = link.retired_at === null && !(newest && isUnfinished(newest));
  return (
    <>
      {newest ? (
        <NewestComparison listed={newest} />
      ) : (
        <Callout
          tone="unknown"
          title="The tables of this link were not compared yet."
          description="Whether their rows are equal on both sides is unknown."
        />
      )}
      {mayStart && <StartPanel linkId={link.id} />}
      {former.length > 0 && <FormerComparisons rows={former} />}
    </>
  );
}

function AboutPanel() {
  return (
    <Panel title="About comparisons">
      <div className="stack dim">
        <p>
          The rows of each table are read on the compared nodes in chunks by key, in snapshots of
          nearly one moment, while applications write. A row that differs counts only where no
          transaction touched its table between the reads. Otherwise it is looked at again, up to 20
          times.
        </p>
        <p>
          Of a table without a suitable key the number and the sum of its rows are compared. Tables
          of engines without transactions and computed columns are not compared.
        </p>
      </div>
    </Panel>
  );
}

function LinkTables({ link }: { link: LinkDetail }) {
  const comparisons = useQuery(tableComparisonsQuery(link.id));
  const schedule = useQuery(comparisonScheduleQuery(link.id));
  return (
    <>
      <PageHeader title={`Tables of ${link.name}`} />
      <LinkTabs link={link} at="tables" />
      <div className="with-aside">
        <div className="stack">
          <QueryBoundary<{ results: TableComparison[] }>
            query={comparisons}
            label="the comparisons"
          >
            {({ results }) => <Comparisons link={link} rows={results} />}
          </QueryBoundary>
        </div>
        <div className="stack">
          <AboutPanel />
          {link.retired_at === null && (
            <QueryBoundary<ComparisonSchedule> query={schedule} label="the schedule">
              {(plan) => (
                <ComparisonSchedulePanel
                  key={JSON.stringify(plan)}
                  linkId={link.id}
                  schedule={plan}
                />
              )}
            </QueryBoundary>
          )}
        </div>
      </div>
    </>
  );
}

/** Whether the tables of a link are equal on its nodes: the comparisons, a new one, and their schedule. */
export function TablesPage() {
  const { linkId } = useParams({ from: "/shell/links/$linkId/tables" });
  const query = useQuery(linkQuery(linkId));
  return (
    <QueryBoundary<LinkDetail> query={query} label="the link" heading="Tables">
      {(link) => <LinkTables link={link} />}
    </QueryBoundary>
  );
}
