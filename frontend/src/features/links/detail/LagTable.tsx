import type { LagCurve, LagPoint } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber } from "@/lib/format/number";
import { type Column, DataTable } from "@/ui/DataTable";

const MAX_ROWS = 30;

const number = (
  key: "forward_gap" | "forward_lag_s" | "reverse_gap" | "reverse_lag_s",
  header: string,
): Column<LagPoint> => ({
  key,
  header,
  align: "right",
  cell: (point) => formatNumber(point[key]),
});

const COLUMNS: readonly Column<LagPoint>[] = [
  { key: "at", header: "Time", isRowHeader: true, cell: (point) => <Timestamp at={point.at} /> },
  number("forward_gap", "Forward gap (transactions)"),
  number("forward_lag_s", "Forward lag (s)"),
  number("reverse_gap", "Reverse gap (transactions)"),
  number("reverse_lag_s", "Reverse lag (s)"),
];

/** The samples of the chart as a table, latest first: for screen readers and for copying. */
export function LagTable({ curve }: { curve: LagCurve }) {
  const step = Math.max(1, Math.floor(curve.points.length / MAX_ROWS));
  const rows = curve.points
    .filter((_, index) => (curve.points.length - 1 - index) % step === 0)
    .reverse();
  return (
    <DataTable
      caption="Lag samples"
      columns={COLUMNS}
      rows={rows}
      rowKey={(point) => point.at}
      empty="No samples in this time range."
    />
  );
}
