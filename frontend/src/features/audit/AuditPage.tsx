import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { auditQuery, auditVerificationQuery } from "@/api/resources/audit";
import type { AuditFilter, AuditRecord, AuditVerdict } from "@/api/types";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { usePagedQuery } from "@/components/use-paged-query";
import { shortHash } from "@/lib/format/number";
import { DataTable } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { AuditChainStatus } from "./AuditChainStatus";
import css from "./AuditDetails.module.css";
import { AuditExport } from "./AuditExport";
import { AuditFilterForm } from "./AuditFilterForm";
import { AUDIT_COLUMNS } from "./audit-columns";
import { VerifyChain } from "./VerifyChain";

/** The facts of an audit record and the source of its request. */
function AuditDetails({ record }: { record: AuditRecord }) {
  return (
    <>
      <pre className={css.facts}>{JSON.stringify(record.facts, null, 2)}</pre>
      <div className="faint mono">
        request {record.request_id || "none"} · from {record.source_ip || "the Hawser host"} ·
        previous hash {shortHash(record.prev_hash, 16)}
      </div>
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
            empty="No record matches the filter."
            details={(record) => <AuditDetails record={record} />}
            detailsLabel={(record) => `record ${record.seq}, ${record.action}`}
            isOpen={filter.seq !== undefined}
            more={records.more}
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}

/** The audit log: its records, filtered by the address, and the state of its hash chain. */
export function AuditPage() {
  const filter = useSearch({ from: "/shell/audit" });
  const navigate = useNavigate();
  const verdict = useQuery(auditVerificationQuery());
  return (
    <>
      <PageHeader title="Audit log" right={<AuditExport filter={filter} />} />
      <div className="stack">
        <QueryBoundary<AuditVerdict> query={verdict} label="the state of the audit chain">
          {(data) => <AuditChainStatus verdict={data} />}
        </QueryBoundary>
        <VerifyChain />
        <AuditFilterForm
          filter={filter}
          onChange={(search) => void navigate({ to: "/audit", search })}
        />
        <Records key={JSON.stringify(filter)} filter={filter} />
      </div>
    </>
  );
}
