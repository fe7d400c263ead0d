import { useState } from "react";
import type { AuditRecord } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber, shortHash } from "@/lib/format/number";
import css from "./AuditRow.module.css";

export function AuditRow({ record }: { record: AuditRecord }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <tr>
        <td className="num faint">{formatNumber(record.seq)}</td>
        <td className="nowrap">
          <Timestamp at={record.at} />
        </td>
        <td>{record.actor || <span className="faint">Hawser</span>}</td>
        <td>
          <button
            type="button"
            className={css.action}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {record.action}
          </button>
        </td>
        <td>
          {record.target}
          {record.reason && <span className="dim"> · “{record.reason}”</span>}
          {record.run_id && (
            <>
              {" · "}
              <AppLink to={`/runs/${record.run_id}`}>run</AppLink>
            </>
          )}
        </td>
        <td className="mono faint">{shortHash(record.hash)}</td>
      </tr>
      {open && (
        <tr>
          <td />
          <td colSpan={5}>
            <pre className={css.facts}>{JSON.stringify(record.facts, null, 2)}</pre>
            <div className="faint mono">
              request {record.request_id || "none"} · from {record.source_ip || "this machine"} ·
              previous {shortHash(record.prev_hash, 16)}
            </div>
          </td>
        </tr>
      )}
    </>
  );
}
