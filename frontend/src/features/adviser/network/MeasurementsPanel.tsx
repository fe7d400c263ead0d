import type { NetworkExchange, NetworkMeasurement } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber, pluralize } from "@/lib/format/number";
import { type Column, DataTable } from "@/ui/DataTable";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { exchangeName, loss, ms, roundTrip, throughput, withUnit } from "./figures";

const pathOf = ({ from_node, to_node }: NetworkMeasurement) => `${from_node} → ${to_node}`;

const COLUMNS: readonly Column<NetworkMeasurement>[] = [
  { key: "at", header: "Measured", cell: (row) => <Timestamp at={row.measured_at} /> },
  { key: "path", header: "Path", cell: pathOf, nowrap: true, isRowHeader: true },
  { key: "trip", header: "Round trip", cell: roundTrip },
  { key: "rate", header: "There / back", cell: throughput },
  { key: "loss", header: "Lost", cell: loss },
  {
    key: "signed",
    header: "Origin",
    cell: (row) => (
      <span className="row">
        <StatusChip tone={row.is_signed ? "ok" : "neutral"}>
          {row.is_signed ? "Signed" : "Pasted, not signed"}
        </StatusChip>
        {!row.is_recent && <StatusChip tone="unknown">Old</StatusChip>}
      </span>
    ),
  },
];

const EXCHANGES: readonly Column<NetworkExchange>[] = [
  { key: "size", header: "Request / response", cell: exchangeName, isRowHeader: true },
  { key: "p50", header: "p50", cell: ({ latency }) => ms(latency.p50_ms), align: "right" },
  { key: "p95", header: "p95", cell: ({ latency }) => ms(latency.p95_ms), align: "right" },
  { key: "p99", header: "p99", cell: ({ latency }) => ms(latency.p99_ms), align: "right" },
  { key: "mean", header: "Mean", cell: ({ latency }) => ms(latency.mean_ms), align: "right" },
  {
    key: "rate",
    header: "Per second",
    cell: (row) => withUnit(row.rate_per_s, "/s"),
    align: "right",
  },
];

const clock = ({ clock_offset_ms, clock_error_ms, to_node }: NetworkMeasurement) =>
  clock_offset_ms === null
    ? null
    : `${to_node} is ${ms(Math.abs(clock_offset_ms))} ${clock_offset_ms < 0 ? "behind" : "ahead"}, ±${ms(clock_error_ms)}`;

function Details({ row }: { row: NetworkMeasurement }) {
  const settings = Object.entries(row.host_settings);
  return (
    <div className="stack">
      {row.exchanges.length > 0 && (
        <DataTable
          caption="Exchanges"
          columns={EXCHANGES}
          rows={row.exchanges}
          rowKey={exchangeName}
          empty="None."
        />
      )}
      <DescriptionList
        items={[
          ["Address measured", row.remote_address],
          [
            "Path MTU",
            row.path_mtu_bytes === null ? null : `${formatNumber(row.path_mtu_bytes)} B`,
          ],
          ["Clock", clock(row)],
          [
            "Congestion control",
            row.congestion_control &&
              `${row.congestion_control}, ${row.remote_congestion_control || "unknown"} on the other host`,
          ],
          ["Stored by", row.actor],
          ...settings.map(
            ([name, value]) =>
              [
                name,
                row.remote_host_settings[name] === value
                  ? `${value} on both hosts`
                  : `${value}; other host: ${row.remote_host_settings[name] ?? "unknown"}`,
              ] as const,
          ),
        ]}
      />
    </div>
  );
}

/** What was measured, newest first. */
export function MeasurementsPanel({ rows }: { rows: readonly NetworkMeasurement[] }) {
  return (
    <Panel title="Measurements" aside={`${pluralize(rows.length, "measurement")}, newest first`}>
      <DataTable
        caption="Measurements"
        columns={COLUMNS}
        rows={rows}
        rowKey={(row) => row.id}
        empty="Nothing was measured between these sites. Run the probe."
        details={(row) => <Details row={row} />}
        detailsLabel={pathOf}
      />
    </Panel>
  );
}
