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

export const auditVerificationQuery = () =>
  queryOptions({
    queryKey: queryKeys.auditVerification,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/audit/verify", { signal })),
    staleTime: 60_000,
  });
