import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { auditQuery } from "@/api/resources/audit";
import { switchQuery } from "@/api/resources/history";
import type { AuditRecord, Switch } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ButtonLink } from "@/components/ButtonLink";
import { CurlButton } from "@/components/CurlButton";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { usePagedQuery } from "@/components/use-paged-query";
import { operationLabel } from "@/domain/operations";
import { statusFor } from "@/domain/status";
import { formatNumber } from "@/lib/format/number";
import { type Column, column, DataTable, nameColumn, numberColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import css from "./History.module.css";
import { lossStatus } from "./loss-status";
import { TopologyDiff } from "./TopologyDiff";

const RECORD_COLUMNS: readonly Column<AuditRecord>[] = [
  numberColumn("#", ({ seq }) => (
    <AppLink to="/audit" search={{ seq }}>
      {formatNumber(seq)}
    </AppLink>
  )),
  column("Time", ({ at }) => <Timestamp at={at} />, { nowrap: true }),
  column("User", ({ actor }) => actor || "Hawser"),
  nameColumn("Action", (r) => r.action, { mono: true }),
];

function RawRecords({ runId }: { runId: string }) {
  const records = usePagedQuery(auditQuery({ run: runId }));
  return (
    <Panel title="Raw audit records" aside="newest first">
      <QueryBoundary<AuditRecord[]> query={records} label="the audit records">
        {(rows) => (
          <DataTable
            caption="Raw audit records"
            columns={RECORD_COLUMNS}
            rows={rows}
            rowKey={(record) => record.seq}
            empty="There is no audit record of this run."
            more={records.more}
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}

function Sentence({ entry }: { entry: Switch }) {
  const [state, loss] = [statusFor("run", entry.state), lossStatus(entry.loss)];
  const { sentences } = entry;
  return (
    <Panel title="What happened">
      <div className={css.sentence}>
        <p className="strong">{sentences.who_and_what}</p>
        <p>
          {sentences.from_to} {sentences.position}
        </p>
        <p>
          {sentences.why} {sentences.outcome} {sentences.loss}
        </p>
      </div>
      <p className="row note">
        <StatusChip tone={state.tone}>{state.word}</StatusChip>
        <StatusChip tone={loss.tone}>data loss: {loss.word}</StatusChip>
        <span className="dim">
          Confirmed <Timestamp at={entry.created_at} />
        </span>
      </p>
    </Panel>
  );
}

function Entry({ entry }: { entry: Switch }) {
  return (
    <>
      <PageHeader
        title={`${operationLabel(entry.kind)} of ${entry.link_name}`}
        right={
          <>
            <CurlButton method="GET" path={`/history/${entry.id}`} />
            <ButtonLink
              to="/runs/$runId"
              params={{ runId: entry.id }}
              size="xs"
              variant="default"
              className="no-print"
            >
              View run
            </ButtonLink>
            <ButtonLink
              to="/runs/$runId/report"
              params={{ runId: entry.id }}
              size="xs"
              variant="default"
              className="no-print"
            >
              View incident report
            </ButtonLink>
          </>
        }
      />
      <div className="stack">
        <Sentence entry={entry} />
        <TopologyDiff entry={entry} />
        <RawRecords runId={entry.id} />
      </div>
    </>
  );
}

/** One entry of the history: the sentence, the topology before and after, and the raw records. */
export function EntryPage() {
  const { runId } = useParams({ from: "/shell/history/$runId" });
  const query = useQuery(switchQuery(runId));
  return (
    <QueryBoundary<Switch> query={query} label="the entry" heading="History">
      {(entry) => <Entry entry={entry} />}
    </QueryBoundary>
  );
}
