import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type SubmitEvent, useState } from "react";
import { apiPath } from "@/api/client";
import { auditQuery, auditVerificationQuery } from "@/api/resources/audit";
import type { AuditFilter, AuditRecord, AuditVerdict } from "@/api/types";
import { CurlButton } from "@/components/CurlButton";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { usePagedQuery } from "@/components/use-paged-query";
import { formatNumber, pluralize, shortHash } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { Copyable } from "@/ui/CopyButton";
import { DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { AuditDetails } from "./AuditDetails";
import { AUDIT_COLUMNS } from "./audit-columns";

function Chain({ verdict }: { verdict: AuditVerdict }) {
  return (
    <Callout
      tone={verdict.ok ? "ok" : "bad"}
      title={
        verdict.ok
          ? `The chain of ${pluralize(verdict.records, "record")} is whole.`
          : `The chain is broken at record ${formatNumber(verdict.first_bad_seq)}.`
      }
      description={
        <>
          {verdict.detail && <>{verdict.detail} </>}
          Each record carries the keyed hash of the one before. Checked{" "}
          <Timestamp at={verdict.checked_at} />
          {verdict.full_checked_at && (
            <>
              , from the first record on <Timestamp at={verdict.full_checked_at} />
            </>
          )}
          {verdict.records > 0 && (
            <>
              ; head is record {formatNumber(verdict.head.seq)},{" "}
              <Copyable text={shortHash(verdict.head.hash, 16)} label="the head's hash" />
            </>
          )}
        </>
      }
    />
  );
}

const FIELDS = [
  { key: "actor", label: "Who", placeholder: "any actor" },
  { key: "action", label: "Action", placeholder: "runs:run:start" },
  { key: "link", label: "Link id", placeholder: "any link" },
  { key: "run", label: "Run id", placeholder: "any run" },
  { key: "since", label: "Since (UTC)", placeholder: "2026-11-21T02:00Z" },
  { key: "until", label: "Until (UTC)", placeholder: "now" },
] as const;

function Filters({
  filter,
  onChange,
}: {
  filter: AuditFilter;
  onChange: (next: AuditFilter) => void;
}) {
  const [draft, setDraft] = useState<AuditFilter>(filter);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onChange(draft);
  };
  return (
    <form onSubmit={submit} className="row" aria-label="Filter the record">
      {FIELDS.map(({ key, label, placeholder }) => (
        <TextInput
          key={key}
          label={label}
          placeholder={placeholder}
          size="xs"
          w={150}
          value={draft[key] ?? ""}
          onChange={(event) =>
            setDraft({ ...draft, [key]: event.currentTarget.value || undefined })
          }
        />
      ))}
      <Button type="submit" size="xs" variant="default" mt={20}>
        Filter
      </Button>
      <Button size="xs" variant="subtle" mt={20} onClick={() => onChange({})}>
        Show all
      </Button>
    </form>
  );
}

function Exports({ filter }: { filter: AuditFilter }) {
  const href = (format: string) => apiPath("/audit/export", { ...filter, format });
  return (
    <>
      <CurlButton method="GET" path={apiPath("/audit", { ...filter }).replace("/api/v1", "")} />
      <Button size="xs" variant="default" component="a" href={href("jsonl")} download="audit.jsonl">
        Export JSONL
      </Button>
      <Button size="xs" variant="default" component="a" href={href("csv")} download="audit.csv">
        Export CSV
      </Button>
    </>
  );
}

function Records({ filter }: { filter: AuditFilter }) {
  const records = usePagedQuery(auditQuery(filter));
  return (
    <Panel>
      <QueryBoundary<AuditRecord[]> query={records} label="the audit log">
        {(rows) => (
          <DataTable
            caption="Audit records"
            columns={AUDIT_COLUMNS}
            rows={rows}
            rowKey={(record) => record.seq}
            empty="No record matches."
            details={(record) => <AuditDetails record={record} />}
            detailsLabel={(record) => `record ${record.seq}, ${record.action}`}
            more={records.more}
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}

/** Who did what, when and why, and whether the record is whole. Filters live in the address. */
export function AuditPage() {
  const filter = useSearch({ from: "/shell/audit" });
  const navigate = useNavigate();
  const verdict = useQuery(auditVerificationQuery());
  const key = JSON.stringify(filter);
  return (
    <>
      <PageHeader title="Audit" right={<Exports filter={filter} />} />
      <div className="stack">
        <QueryBoundary<AuditVerdict> query={verdict} label="the chain's verdict">
          {(answer) => <Chain verdict={answer} />}
        </QueryBoundary>
        <Filters
          key={`f${key}`}
          filter={filter}
          onChange={(next) => void navigate({ to: "/audit", search: next })}
        />
        <Records key={key} filter={filter} />
      </div>
    </>
  );
}
