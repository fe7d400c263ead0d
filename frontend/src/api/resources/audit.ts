import { queryOptions } from "@tanstack/react-query";
import type { PagedQuery } from "../pages";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type { AuditFilter, AuditRecord } from "../types";

export const auditQuery = (filter: AuditFilter): PagedQuery<AuditRecord> => ({
  queryKey: queryKeys.auditList(filter),
  read: (cursor, signal) => send("GET", "/api/v1/audit", { query: { ...filter, cursor }, signal }),
});

/** Verifies the next records from the first one on; `after` is the `next` of the call before. */
export const verifyNextRecords = (after: string | undefined, signal: AbortSignal) =>
  send("GET", "/api/v1/audit/verify-all", { query: { after }, signal });

export const auditVerificationQuery = () =>
  queryOptions({
    queryKey: queryKeys.auditVerification,
    queryFn: ({ signal }) => send("GET", "/api/v1/audit/verify", { signal }),
    staleTime: 60_000,
  });
