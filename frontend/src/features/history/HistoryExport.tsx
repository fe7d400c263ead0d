import { Button } from "@mantine/core";
import { apiPath } from "@/api/client";
import type { HistoryFilter } from "@/api/types";
import { CurlButton } from "@/components/CurlButton";

/** Downloads of the entries that match the filter, and print. */
export function HistoryExport({ filter }: { filter: HistoryFilter }) {
  const href = (format: string) => apiPath("/history/export", { ...filter, format });
  return (
    <>
      <CurlButton method="GET" path={apiPath("/history", { ...filter }).replace("/api/v1", "")} />
      <Button
        size="xs"
        variant="default"
        className="no-print"
        component="a"
        href={href("csv")}
        download
      >
        Export CSV
      </Button>
      <Button
        size="xs"
        variant="default"
        className="no-print"
        component="a"
        href={href("jsonl")}
        download
      >
        Export JSON Lines
      </Button>
      <Button size="xs" variant="default" className="no-print" onClick={() => window.print()}>
        Print
      </Button>
    </>
  );
}
