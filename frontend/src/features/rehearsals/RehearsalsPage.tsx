import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { queries } from "@/api/queries";
import type { LinkDetail, Page, Rehearsal, Schedule } from "@/api/types";
import { LinkTabs } from "@/components/LinkTabs";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { pluralize } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import { RehearsalsByOperation } from "./RehearsalsByOperation";
import { RehearsalTable } from "./RehearsalTable";
import { SchedulePanel } from "./SchedulePanel";

function RehearsalHistory({ page, kind }: { page: Page<Rehearsal>; kind: string | undefined }) {
  const shown = page.results.filter((entry) => kind === undefined || entry.kind === kind);
  return (
    <Panel title="Held" aside={`${pluralize(shown.length, "rehearsal")}, newest first`}>
      {shown.length === 0 ? (
        <p className="dim">Nothing was rehearsed yet.</p>
      ) : (
        <RehearsalTable rehearsals={shown} />
      )}
    </Panel>
  );
}

function View({ link }: { link: LinkDetail }) {
  const { kind } = useSearch({ from: "/shell/links/$linkId/rehearsals" });
  const held = useQuery(queries.rehearsals(link.id));
  const schedule = useQuery(queries.schedule(link.id));
  return (
    <>
      <PageHeader title={`Rehearsals of ${link.name}`} />
      <LinkTabs link={link} at="rehearsals" />
      <div className="with-aside">
        <div className="stack">
          <QueryBoundary<Page<Rehearsal>> query={held} label="the rehearsals">
            {(page) => (
              <>
                <RehearsalsByOperation link={link} rehearsals={page.results} kind={kind} />
                <RehearsalHistory page={page} kind={kind} />
              </>
            )}
          </QueryBoundary>
        </div>
        <div className="stack">
          <QueryBoundary<Schedule> query={schedule} label="the schedule">
            {(plan) => (
              <SchedulePanel key={JSON.stringify(plan)} linkId={link.id} schedule={plan} />
            )}
          </QueryBoundary>
          <Panel title="What a rehearsal is">
            <p className="dim">
              The same code as a run, up to its first write: both sides are read and checked, the
              position is searched and proven, the plan is made, and what it would need is tried.
              Nothing on a server is changed. One that fails is an event, and the webhooks hear of
              it.
            </p>
          </Panel>
        </div>
      </div>
    </>
  );
}

export function RehearsalsPage() {
  const { linkId } = useParams({ from: "/shell/links/$linkId/rehearsals" });
  const query = useQuery(queries.link(linkId));
  return (
    <QueryBoundary<LinkDetail> query={query} label="the link">
      {(link) => <View link={link} />}
    </QueryBoundary>
  );
}
