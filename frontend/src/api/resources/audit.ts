import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../client";
import type { PagedQuery } from "../pages";
import { queryKeys } from "../query-keys";
import type { AuditFilter, AuditRecord } from "../types";

export const auditQuery = (filter: AuditFilter): PagedQuery<AuditRecord> => ({
  queryKey: queryKeys.auditList(filter),
  read: (cursor, signal) =>
    unwrap(
      client.GET("/api/v1/audit", {
        params: { query: { ...filter, cursor } },
        signal,
      }),
    ),
});

/** Verifies the next records from the first one on; `after` is the `next` of the call before. */
export const verifyNextRecords = (after: string | undefined, signal: AbortSignal) =>
  unwrap(client.GET("/api/v1/audit/verify-all", { params: { query: { after } }, signal }));

export const auditVerificationQuery = () =>
  queryOptions({
    queryKey: queryKeys.auditVerification,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/audit/verify", { signal })),
    staleTime: 60_000,
  });
