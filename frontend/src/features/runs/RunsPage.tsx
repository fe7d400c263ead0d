import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { queries } from "@/api/queries";
import type { Link, Page, Run, RunState } from "@/api/types";
import { Moment } from "@/components/clock";
import { Go } from "@/components/Go";
import { Loaded } from "@/components/Loaded";
import { PageHeader } from "@/components/PageHeader";
import { exceptionOf } from "@/components/waiting";
import { runHasEnded } from "@/lib/flow";
import { formatDuration } from "@/lib/time";
import { statusOf } from "@/lib/tone";
import { Chip } from "@/ui/Chip";
import { Panel } from "@/ui/Panel";

const STATES: readonly RunState[] = [
  "waiting_approval",
  "queued",
  "running",
  "succeeded",
  "failed",
  "aborted",
  "needs_operator",
];

function Row({ run }: { run: Run }) {
  const status = statusOf("run", run.state);
  const ended = runHasEnded(run.state);
  return (
    <tr>
      <td className="nowrap">
        <Moment at={run.created_at} />
      </td>
      <td>
        <Go to={ended ? `/runs/${run.id}/result` : `/runs/${run.id}`}>
          {run.summary || `${run.kind} ${run.link_name}`}
        </Go>
        {run.outcome && <div className="dim">{run.outcome}</div>}
        {exceptionOf(run) && <Chip tone="bad">Without a second person</Chip>}
      </td>
      <td>{run.link_name}</td>
      <td>
        <Chip tone={status.tone}>{status.word}</Chip>
      </td>
      <td className="num">
        {formatDuration(run.durations?.confirm_to_verified_s ?? run.durations?.total_s)}
      </td>
      <td>
        {run.requested_by}
        {run.reason && <div className="dim">{run.reason}</div>}
      </td>
    </tr>
  );
}

function Filters({ links }: { links: readonly Link[] }) {
  const search = useSearch({ from: "/shell/runs" });
  const navigate = useNavigate();
  const set = (change: { link?: string | undefined; state?: RunState | undefined }) =>
    void navigate({ to: "/runs", search: { ...search, ...change }, replace: true });
  return (
    <div className="row">
      <Select
        aria-label="Link"
        placeholder="any link"
        clearable
        data={links.map((link) => ({ value: link.id, label: link.name }))}
        value={search.link ?? null}
        onChange={(value) => set({ link: value ?? undefined })}
      />
      <Select
        aria-label="State"
        placeholder="any state"
        clearable
        data={STATES.map((value) => ({ value, label: statusOf("run", value).word }))}
        value={search.state ?? null}
        onChange={(value) => set({ state: STATES.find((state) => state === value) })}
      />
    </div>
  );
}

export function RunsPage() {
  const search = useSearch({ from: "/shell/runs" });
  const query = useQuery(queries.runs(search));
  const links = useQuery(queries.links());
  return (
    <>
      <PageHeader title="Runs" />
      <div className="stack">
        <Filters links={links.data?.results ?? []} />
        <Panel>
          <Loaded<Page<Run>> query={query} what="the runs">
            {(page) => (
              <div className="scroll">
                <table className="grid">
                  <thead>
                    <tr>
                      <th>Confirmed</th>
                      <th>What</th>
                      <th>Link</th>
                      <th>State</th>
                      <th className="num">Took</th>
                      <th>Who and why</th>
                    </tr>
                  </thead>
                  <tbody>
                    {page.results.map((run) => (
                      <Row key={run.id} run={run} />
                    ))}
                  </tbody>
                </table>
                {page.results.length === 0 && <p className="dim">No run matches.</p>}
              </div>
            )}
          </Loaded>
        </Panel>
      </div>
    </>
  );
}
