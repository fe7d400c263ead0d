/** The audit record, newest first. */
import type { AuditRecord, AuditVerdict, AuditWalk } from "@/api/types";
import { ago, now } from "./clusters";

const ACTIONS = [
  "runs:run:start",
  "runs:plan:create",
  "session:login:success",
  "clusters:link:create",
];
const RECORDS = 48;

const hash = (seq: number) => `${seq.toString(16).padStart(2, "0")}f3a9c1e5b2d48a0c6e1`;

export const auditRecords: readonly AuditRecord[] = Array.from({ length: RECORDS }, (_, i) => ({
  seq: RECORDS - i,
  at: ago(60 * (i + 1)),
  actor: i % 5 === 3 ? "olaf" : "operator-1",
  action: ACTIONS[i % ACTIONS.length] ?? "",
  link_id: "l_payments",
  run_id: "",
  target: "payments",
  reason: i % ACTIONS.length === 0 ? "INC-4211: db-a1 lost its disk" : "",
  request_id: "5d1c88e2a90b4f17",
  source_ip: "127.0.0.1",
  facts: { kind: "relocate" },
  hash: hash(RECORDS - i),
  prev_hash: hash(RECORDS - i - 1),
  key_id: "91c2d07be5f3a644",
}));

export const auditVerdict = (): AuditVerdict => ({
  ok: true,
  records: RECORDS,
  first_bad_seq: null,
  reason: null,
  detail: "",
  head: { seq: RECORDS, hash: hash(RECORDS) },
  checked_at: now(),
  full_checked_at: now(),
});

/** A verification in three slices, so that a page shows its progress. */
export const auditWalk = (after: number): AuditWalk => {
  const verified = Math.min(RECORDS, after + RECORDS / 3);
  const isFinished = verified === RECORDS;
  return {
    is_finished: isFinished,
    ok: true,
    verified,
    records: RECORDS,
    first_at: ago(60 * RECORDS),
    last_at: ago(60 * (RECORDS - verified + 1)),
    first_bad_seq: null,
    reason: null,
    detail: "",
    next: isFinished ? null : String(verified),
    checked_at: now(),
  };
};
