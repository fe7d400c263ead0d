import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { queries } from "@/api/queries";
import type { LinkDetail, Page, Rehearsal, Schedule } from "@/api/types";
import { LinkTabs } from "@/components/LinkTabs";
import { Loaded } from "@/components/Loaded";
import { PageHeader } from "@/components/PageHeader";
import { counted } from "@/lib/numbers";
import { Panel } from "@/ui/Panel";
import { KindsPanel } from "./KindsPanel";
import { RehearsalTable } from "./RehearsalTable";
import { SchedulePanel } from "./SchedulePanel";

function Held({ page, kind }: { page: Page<Rehearsal>; kind: string | undefined }) {
  const shown = page.results.filter((entry) => kind === undefined || entry.kind === kind);
  return (
    <Panel title="Held" aside={`${counted(shown.length, "rehearsal")}, newest first`}>
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
          <Loaded<Page<Rehearsal>> query={held} what="the rehearsals">
            {(page) => (
              <>
                <KindsPanel link={link} rehearsals={page.results} kind={kind} />
                <Held page={page} kind={kind} />
              </>
            )}
          </Loaded>
        </div>
        <div className="stack">
          <Loaded<Schedule> query={schedule} what="the schedule">
            {(plan) => (
              <SchedulePanel key={JSON.stringify(plan)} linkId={link.id} schedule={plan} />
            )}
          </Loaded>
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
    <Loaded<LinkDetail> query={query} what="the link">
      {(link) => <View link={link} />}
    </Loaded>
  );
}
