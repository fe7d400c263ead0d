import { Button } from "@mantine/core";
import { apiPath } from "@/api/client";
import type { AuditFilter } from "@/api/types";
import { CurlButton } from "@/components/CurlButton";

/** Downloads of the records that match the filter. */
export function AuditExport({ filter }: { filter: AuditFilter }) {
  const href = (format: string) => apiPath("/audit/export", { ...filter, format });
  return (
    <>
      <CurlButton method="GET" path={apiPath("/audit", { ...filter }).replace("/api/v1", "")} />
      <Button size="xs" variant="default" component="a" href={href("jsonl")} download="audit.jsonl">
        Export JSONL
      </Button>
      <Button size="xs" variant="default" component="a" href={href("csv")} download="audit.csv">
        Export CSV
      </Button>
    </>
  );
}
