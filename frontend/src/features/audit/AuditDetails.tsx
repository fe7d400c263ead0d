import type { AuditRecord } from "@/api/types";
import { shortHash } from "@/lib/format/number";
import css from "./AuditDetails.module.css";

/** The facts of an audit record, and where the request came from. */
export function AuditDetails({ record }: { record: AuditRecord }) {
  return (
    <>
      <pre className={css.facts}>{JSON.stringify(record.facts, null, 2)}</pre>
      <div className="faint mono">
        request {record.request_id || "none"} · from {record.source_ip || "this machine"} · previous{" "}
        {shortHash(record.prev_hash, 16)}
      </div>
    </>
  );
}
