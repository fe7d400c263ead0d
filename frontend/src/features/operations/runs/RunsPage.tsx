import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { fleetQuery } from "@/api/resources/fleet";
import { runsQuery } from "@/api/resources/runs";
import type { LinkRow, Run, RunState } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { usePagedQuery } from "@/components/use-paged-query";
import { operationLabel } from "@/domain/operations";
import { exceptionOf } from "@/domain/pending-approvals";
import { RUN_STATES } from "@/domain/run-states";
import { statusFor } from "@/domain/status";
import { isRunFinished } from "@/domain/workflow";
import { formatDuration } from "@/lib/format/time";
import { type Column, column, DataTable, nameColumn, numberColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";

const COLUMNS: readonly Column<Run>[] = [
  column("Confirmed", (run) => <Timestamp at={run.created_at} />, { nowrap: true }),
  nameColumn("Operation", (run) => (
    <>
      <AppLink
        to={isRunFinished(run.state) ? "/runs/$runId/result" : "/runs/$runId"}
        params={{ runId: run.id }}
      >
        {run.summary || `${operationLabel(run.kind)} ${run.link_name}`}
      </AppLink>
      {run.outcome && <div className="dim">{run.outcome}</div>}
      {exceptionOf(run) && <StatusChip tone="bad">without approval</StatusChip>}
    </>
  )),
  column("Link", (run) => run.link_name),
  column("State", (run) => {
    const status = statusFor("run", run.state);
    return <StatusChip tone={status.tone}>{status.word}</StatusChip>;
  }),
  numberColumn("Duration", (run) =>
    formatDuration(run.durations?.confirm_to_verified_s ?? run.durations?.total_s),
  ),
  column("Requested by", (run) => (
    <>
      {run.requested_by}
      {run.reason && <div className="dim">{run.reason}</div>}
    </>
  )),
];

function Filters({ links }: { links: readonly LinkRow[] }) {
  const search = useSearch({ from: "/shell/runs" });
  const navigate = useNavigate();
  const set = (change: { link?: string | undefined; state?: RunState | undefined }) =>
    void navigate({ to: "/runs", search: { ...search, ...change }, replace: true });
  return (
    <div className="row">
      <Select
        aria-label="Link"
        placeholder="All links"
        clearable
        data={links.map((link) => ({ value: link.id, label: link.name }))}
        value={search.link ?? null}
        onChange={(value) => set({ link: value ?? undefined })}
      />
      <Select
        aria-label="State"
        placeholder="All states"
        clearable
        data={RUN_STATES.map((value) => ({ value, label: statusFor("run", value).word }))}
        value={search.state ?? null}
        onChange={(value) => set({ state: RUN_STATES.find((state) => state === value) })}
      />
    </div>
  );
}

/** All runs, newest first, filtered by link and state. */
export function RunsPage() {
  const search = useSearch({ from: "/shell/runs" });
  const runs = usePagedQuery(runsQuery(search));
  const links = useQuery(fleetQuery());
  return (
    <>
      <PageHeader title="Runs" />
      <div className="stack">
        <Filters links={links.data?.results ?? []} />
        <Panel>
          <QueryBoundary<Run[]> query={runs} label="the runs">
            {(rows) => (
              <DataTable
                caption="Runs"
                columns={COLUMNS}
                rows={rows}
                rowKey={(run) => run.id}
                empty="No runs match the filter."
                more={runs.more}
              />
            )}
          </QueryBoundary>
        </Panel>
      </div>
    </>
  );
}
