import type { AuditRecord } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber, shortHash } from "@/lib/format/number";
import { type Column, column, nameColumn, numberColumn } from "@/ui/DataTable";

function Subject({ record }: { record: AuditRecord }) {
  return (
    <>
      {record.target}
      {record.reason && <span className="dim"> · “{record.reason}”</span>}
      {record.run_id && (
        <>
          {" · "}
          <AppLink to="/runs/$runId" params={{ runId: record.run_id }}>
            run
          </AppLink>
        </>
      )}
    </>
  );
}

export const AUDIT_COLUMNS: readonly Column<AuditRecord>[] = [
  numberColumn("#", ({ seq }) => (
    <AppLink to="/audit" search={{ seq }} aria-label={`Permalink of record ${seq}`}>
      {formatNumber(seq)}
    </AppLink>
  )),
  column("Time", (record) => <Timestamp at={record.at} />, { nowrap: true }),
  column("User", (record) => record.actor || "Hawser"),
  nameColumn("Action", (record) => record.action, { mono: true }),
  column("Object and reason", (record) => <Subject record={record} />),
  column("Hash", (record) => shortHash(record.hash), { mono: true }),
];
