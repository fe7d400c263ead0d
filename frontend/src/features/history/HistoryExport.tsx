import { Button } from "@mantine/core";
import { apiPath } from "@/api/client";
import type { HistoryFilter } from "@/api/types";
import { CurlButton } from "@/components/CurlButton";

/** Downloads of the entries that match the filter, and print. */
export function HistoryExport({ filter }: { filter: HistoryFilter }) {
  const href = (format: string) => apiPath("/history/export", { ...filter, format });
  return (
    <span className="row no-print">
      <CurlButton method="GET" path={apiPath("/history", { ...filter }).replace("/api/v1", "")} />
      <Button size="xs" variant="default" component="a" href={href("csv")} download>
        Export CSV
      </Button>
      <Button size="xs" variant="default" component="a" href={href("jsonl")} download>
        Export JSON Lines
      </Button>
      <Button size="xs" variant="default" onClick={() => window.print()}>
        Print
      </Button>
    </span>
  );
}
