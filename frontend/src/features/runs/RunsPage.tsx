import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { queries } from "@/api/queries";
import type { Link, Page, Run, RunState } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { exceptionOf } from "@/domain/pending-approvals";
import { statusFor } from "@/domain/status";
import { isRunFinished } from "@/domain/workflow";
import { formatDuration } from "@/lib/format/time";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";

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
  const status = statusFor("run", run.state);
  const ended = isRunFinished(run.state);
  return (
    <tr>
      <td className="nowrap">
        <Timestamp at={run.created_at} />
      </td>
      <td>
        <AppLink to={ended ? `/runs/${run.id}/result` : `/runs/${run.id}`}>
          {run.summary || `${run.kind} ${run.link_name}`}
        </AppLink>
        {run.outcome && <div className="dim">{run.outcome}</div>}
        {exceptionOf(run) && <StatusChip tone="bad">Without a second person</StatusChip>}
      </td>
      <td>{run.link_name}</td>
      <td>
        <StatusChip tone={status.tone}>{status.word}</StatusChip>
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
        data={STATES.map((value) => ({ value, label: statusFor("run", value).word }))}
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
          <QueryBoundary<Page<Run>> query={query} label="the runs">
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
          </QueryBoundary>
        </Panel>
      </div>
    </>
  );
}
