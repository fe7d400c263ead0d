/** Figures of a measurement as they are read: with units, and unknown where they were not measured. */
import type { NetworkExchange, NetworkMeasurement } from "@/api/types";
import { formatNumber } from "@/lib/format/number";

type Figure = number | null | undefined;

const rounded = (value: number): number =>
  Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));

/** 25.4312, "ms" -> "25.4 ms". */
export const withUnit = (value: Figure, unit: string): string =>
  value === null || value === undefined ? "unknown" : `${formatNumber(rounded(value))} ${unit}`;

export const ms = (value: Figure): string => withUnit(value, "ms");

const kilobytes = (bytes: Figure): string =>
  bytes === null || bytes === undefined
    ? "?"
    : bytes < 1024
      ? `${bytes} B`
      : `${formatNumber(rounded(bytes / 1024))} KB`;

/** "32 KB / 32 KB, 7 in flight". */
export function exchangeName(exchange: NetworkExchange): string {
  const { request_bytes, response_bytes, in_flight } = exchange;
  const flight = in_flight ?? "unknown";
  return `${kilobytes(request_bytes)} / ${kilobytes(response_bytes)}, ${flight} in flight`;
}

/** The typical round trip, and the slow one in twenty: of the short exchange, else of the first. */
export function roundTrip(measurement: NetworkMeasurement): string {
  const latency = measurement.round_trip ?? measurement.exchanges[0]?.latency;
  if (!latency) return "unknown";
  const typical = latency.p50_ms ?? latency.mean_ms;
  if (typical === null) return latency.min_ms === null ? "unknown" : `${ms(latency.min_ms)} least`;
  const tail = latency.p95_ms ?? latency.p99_ms;
  return tail === null ? ms(typical) : `${ms(typical)}, ${ms(tail)} p95`;
}

/** Mbit/s there and back. */
export function throughput({ sent_mbit_s, received_mbit_s }: NetworkMeasurement): string {
  if (sent_mbit_s === null && received_mbit_s === null) return "unknown";
  const way = (value: Figure) =>
    value === null || value === undefined ? "unknown" : formatNumber(rounded(value));
  return `${way(sent_mbit_s)} / ${way(received_mbit_s)} Mbit/s`;
}

/** Sent again, and of how many packets. */
export function loss({ retransmitted_percent, packets }: NetworkMeasurement): string {
  if (retransmitted_percent === null) return "unknown";
  const share = withUnit(retransmitted_percent, "%");
  return packets === null ? share : `${share} of ${formatNumber(packets)}`;
}
