import { useState } from "react";
import type { Direction, LagCurve, LagPoint } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { statusFor } from "@/domain/status";
import { type Column, column, DataTable, nameColumn, numberColumn } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import { isBreak, rangeOf, type Unit } from "./chart-data";
import { rangeText } from "./readout";

const PAGE = 50;

/** A point, or the time in which nothing was sampled, up to the point after it. */
interface Row {
  at: string;
  point: LagPoint | null;
}

function rowsOf(curve: LagCurve): Row[] {
  return curve.points
    .flatMap((point, index): Row[] => {
      const before = curve.points[index - 1];
      const row = { at: point.at, point };
      if (!before || !isBreak(curve, before, point)) return [row];
      const end = Date.parse(before.at) + curve.resolution_s * 1000;
      return [{ at: new Date(end).toISOString(), point: null }, row];
    })
    .reverse();
}

const measure = (direction: Direction, unit: Unit): Column<Row> =>
  numberColumn(`${direction === "forward" ? "Forward" : "Reverse"} (${unit})`, ({ point }) =>
    point ? (
      rangeText(rangeOf(point, direction, unit), point.samples)
    ) : (
      <span className="faint">–</span>
    ),
  );

const COLUMNS: readonly Column<Row>[] = [
  nameColumn("From", ({ at }) => <Timestamp at={at} />),
  column(
    "Worst state",
    ({ point }) => {
      if (!point) return <span className="faint">no samples</span>;
      const { tone, word } = statusFor("link", point.state);
      return <StatusChip tone={tone}>{word}</StatusChip>;
    },
    { nowrap: true },
  ),
  measure("forward", "transactions"),
  measure("forward", "seconds"),
  measure("reverse", "transactions"),
  measure("reverse", "seconds"),
];

/** The points of the chart as a table, latest first: average, and minimum to maximum where they differ. */
export function LagTable({ curve }: { curve: LagCurve }) {
  const [shown, setShown] = useState(PAGE);
  const rows = rowsOf(curve);
  return (
    <DataTable
      caption="Lag"
      columns={COLUMNS}
      rows={rows.slice(0, shown)}
      rowKey={({ at, point }) => `${at} ${point === null}`}
      empty="No samples in this time."
      more={shown < rows.length ? { isLoading: false, load: () => setShown(shown + PAGE) } : null}
    />
  );
}
