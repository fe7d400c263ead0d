import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type SubmitEvent, useState } from "react";
import { apiPath } from "@/api/client";
import { type AuditFilter, queries } from "@/api/queries";
import type { AuditRecord, AuditVerdict, Page } from "@/api/types";
import { CurlButton } from "@/components/CurlButton";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber, pluralize, shortHash } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { Copyable } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";
import { AuditRow } from "./AuditRow";

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
  const [cursors, setCursors] = useState<string[]>([]);
  const cursor = cursors.at(-1);
  const query = useQuery(queries.audit({ ...filter, cursor }));
  return (
    <Panel>
      <QueryBoundary<Page<AuditRecord>> query={query} label="the record">
        {(page) => (
          <>
            <div className="scroll">
              <table className="grid">
                <thead>
                  <tr>
                    <th className="num">#</th>
                    <th>When</th>
                    <th>Who</th>
                    <th>Action</th>
                    <th>On what, why</th>
                    <th>Hash</th>
                  </tr>
                </thead>
                <tbody>
                  {page.results.map((record) => (
                    <AuditRow key={record.seq} record={record} />
                  ))}
                </tbody>
              </table>
            </div>
            {page.results.length === 0 && <p className="dim">No record matches.</p>}
            <div className="row end">
              {cursor && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => setCursors(cursors.slice(0, -1))}
                >
                  Newer
                </Button>
              )}
              {page.next && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => page.next && setCursors([...cursors, page.next])}
                >
                  Older
                </Button>
              )}
            </div>
          </>
        )}
      </QueryBoundary>
    </Panel>
  );
}

/** Who did what, when and why, and whether the record is whole. Filters live in the address. */
export function AuditPage() {
  const filter = useSearch({ from: "/shell/audit" });
  const navigate = useNavigate();
  const verdict = useQuery(queries.auditVerdict());
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
