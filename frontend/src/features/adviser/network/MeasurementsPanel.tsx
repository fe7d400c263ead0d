import type { NetworkExchange, NetworkMeasurement } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber, pluralize } from "@/lib/format/number";
import { column, nameColumn } from "@/ui/DataTable";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { FigureTable, figure } from "../FigureTable";
import { exchangeName, loss, ms, roundTrip, throughput, withUnit } from "./figures";

const pathOf = ({ from_node, to_node }: NetworkMeasurement) => `${from_node} → ${to_node}`;

const COLUMNS = [
  column<NetworkMeasurement>("Measured", (row) => <Timestamp at={row.measured_at} />),
  nameColumn("Path", pathOf, { nowrap: true }),
  column("Round trip", roundTrip),
  column("There / back", throughput),
  column("Lost", loss),
  column<NetworkMeasurement>("Origin", (row) => (
    <span className="row">
      <StatusChip tone={row.is_signed ? "ok" : "neutral"}>
        {row.is_signed ? "Signed" : "Pasted, not signed"}
      </StatusChip>
      {!row.is_recent && <StatusChip tone="unknown">Old</StatusChip>}
    </span>
  )),
];

const EXCHANGES = [
  nameColumn("Request / response", exchangeName),
  figure<NetworkExchange>("p50", ({ latency }) => ms(latency.p50_ms)),
  figure<NetworkExchange>("p95", ({ latency }) => ms(latency.p95_ms)),
  figure<NetworkExchange>("p99", ({ latency }) => ms(latency.p99_ms)),
  figure<NetworkExchange>("Mean", ({ latency }) => ms(latency.mean_ms)),
  figure<NetworkExchange>("Per second", (row) => withUnit(row.rate_per_s, "/s")),
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
        <FigureTable caption="Exchanges" columns={EXCHANGES} rows={row.exchanges} empty="None." />
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
      <FigureTable
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
