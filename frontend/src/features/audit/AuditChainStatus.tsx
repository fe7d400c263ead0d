import type { AuditVerdict } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber, pluralize, shortHash } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { Copyable } from "@/ui/CopyButton";

/** Whether the hash chain of the audit log is intact, and when that was verified. */
export function AuditChainStatus({ verdict }: { verdict: AuditVerdict }) {
  return (
    <Callout
      tone={verdict.ok ? "ok" : "bad"}
      title={
        verdict.ok
          ? `Audit chain intact: ${pluralize(verdict.records, "record")} verified.`
          : `Audit chain broken at record ${formatNumber(verdict.first_bad_seq)}.`
      }
      description={
        <>
          {verdict.detail && <>{verdict.detail} </>}
          Each record contains the keyed hash of the previous record. Last verification:{" "}
          <Timestamp at={verdict.checked_at} />.
          {verdict.full_checked_at && (
            <>
              {" "}
              Last verification from the first record: <Timestamp at={verdict.full_checked_at} />.
            </>
          )}
          {verdict.records > 0 && (
            <>
              {" "}
              Latest record: {formatNumber(verdict.head.seq)},{" "}
              <Copyable
                text={shortHash(verdict.head.hash, 16)}
                label="the hash of the latest record"
              />
            </>
          )}
        </>
      }
    />
  );
}
