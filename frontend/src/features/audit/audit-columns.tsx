import type { AuditRecord } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber, shortHash } from "@/lib/format/number";
import type { Column } from "@/ui/DataTable";

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
  {
    key: "seq",
    header: "#",
    align: "right",
    cell: ({ seq }) => (
      <AppLink to="/audit" search={{ seq }} aria-label={`Permalink of record ${seq}`}>
        {formatNumber(seq)}
      </AppLink>
    ),
  },
  {
    key: "at",
    header: "Time",
    nowrap: true,
    cell: (record) => <Timestamp at={record.at} />,
  },
  { key: "actor", header: "User", cell: (record) => record.actor || "Hawser" },
  {
    key: "action",
    header: "Action",
    mono: true,
    isRowHeader: true,
    cell: (record) => record.action,
  },
  {
    key: "subject",
    header: "Object and reason",
    cell: (record) => <Subject record={record} />,
  },
  { key: "hash", header: "Hash", mono: true, cell: (record) => shortHash(record.hash) },
];
