import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { linkQuery } from "@/api/resources/links";
import { rehearsalScheduleQuery, rehearsalsQuery } from "@/api/resources/rehearsals";
import type { LinkDetail, Rehearsal, Schedule } from "@/api/types";
import { LinkTabs } from "@/components/LinkTabs";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Term } from "@/components/Term";
import { usePagedQuery } from "@/components/use-paged-query";
import { pluralize } from "@/lib/format/number";
import type { MoreRows } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { RehearsalsByOperation } from "./RehearsalsByOperation";
import { RehearsalTable } from "./RehearsalTable";
import { SchedulePanel } from "./SchedulePanel";

function RehearsalHistory(props: {
  rehearsals: readonly Rehearsal[];
  kind: string | undefined;
  more: MoreRows | null;
}) {
  const { rehearsals, kind, more } = props;
  const shown = rehearsals.filter((entry) => kind === undefined || entry.kind === kind);
  return (
    <Panel title="History" aside={`${pluralize(shown.length, "rehearsal")}, newest first`}>
      <RehearsalTable rehearsals={shown} more={more} />
    </Panel>
  );
}

function LinkRehearsals({ link }: { link: LinkDetail }) {
  const { kind } = useSearch({ from: "/shell/links/$linkId/rehearsals" });
  const rehearsals = usePagedQuery(rehearsalsQuery(link.id));
  const schedule = useQuery(rehearsalScheduleQuery(link.id));
  const isRetired = link.retired_at !== null;
  return (
    <>
      <PageHeader title={`Rehearsals of ${link.name}`} />
      <LinkTabs link={link} at="rehearsals" />
      <div className="with-aside">
        <div className="stack">
          <QueryBoundary<Rehearsal[]> query={rehearsals} label="the rehearsals">
            {(rows) => (
              <>
                {!isRetired && <RehearsalsByOperation link={link} rehearsals={rows} kind={kind} />}
                <RehearsalHistory rehearsals={rows} kind={kind} more={rehearsals.more} />
              </>
            )}
          </QueryBoundary>
        </div>
        <div className="stack">
          {!isRetired && (
            <QueryBoundary<Schedule> query={schedule} label="the schedule">
              {(plan) => (
                <SchedulePanel key={JSON.stringify(plan)} linkId={link.id} schedule={plan} />
              )}
            </QueryBoundary>
          )}
          <Panel title="About rehearsals">
            <p className="dim">
              A rehearsal is a <Term of="dry run" />: it executes the code of a run up to its first
              write. Both clusters are read and checked, the <Term of="resume position" /> is
              located and proven, and the plan is created. Nothing on a server is changed. A failed
              rehearsal raises an event and notifies the webhooks.
            </p>
          </Panel>
        </div>
      </div>
    </>
  );
}

/** The rehearsals of a link and their schedule. */
export function RehearsalsPage() {
  const { linkId } = useParams({ from: "/shell/links/$linkId/rehearsals" });
  const query = useQuery(linkQuery(linkId));
  return (
    <QueryBoundary<LinkDetail> query={query} label="the link" heading="Rehearsals">
      {(link) => <LinkRehearsals link={link} />}
    </QueryBoundary>
  );
}
