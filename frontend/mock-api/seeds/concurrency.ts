/** Answers of the model: two sites and three, 25 ms from each other. */
import type { Concurrency } from "@/api/types";

type Cell = Concurrency["table"][number];
type Seconds = number | null;
type Row = readonly [number, Seconds, Seconds, Seconds, Seconds, Seconds];

const at = (delay_ms: number, rows: readonly Row[]): Cell[] =>
  rows.map(([threads, article_s, lab_s, lab_large_window_s, model_s, model_large_window_s]) => ({
    threads,
    delay_ms,
    article_s,
    lab_s,
    lab_large_window_s,
    model_s,
    model_large_window_s,
  }));

/** Seconds of the article, the lab, the lab with a window of 512, and of the model for both. */
const TABLE = [
  ...at(0.05, [
    [1, 0.268, 0.343, null, null, null],
    [4, 0.187, 0.223, null, null, null],
    [8, 0.146, 0.278, null, null, null],
    [16, 0.13, 0.142, null, null, null],
    [32, 0.122, 0.158, null, null, null],
    [64, 0.098, 0.232, null, null, null],
  ]),
  ...at(50, [
    [1, 25.583, 27.5, 26.1, 26.0, 26.0],
    [2, null, null, 13.0, 13.0, 13.0],
    [4, 8.359, 8.11, 6.52, 7.5, 6.5],
    [8, 4.18, 4.51, 3.72, 4.53, 3.25],
    [16, 2.353, 2.78, 1.73, 2.66, 1.62],
    [32, 1.16, 1.3, 0.95, 1.33, 0.81],
    [64, 0.925, 0.9, 0.63, 0.66, 0.41],
  ]),
  ...at(100, [
    [1, 51.671, 54.2, 51.6, 52.0, 52.0],
    [2, null, null, 26.0, 26.0, 26.0],
    [4, 13.936, 14.9, 13.3, 15.0, 13.0],
    [8, 7.84, 8.26, 6.6, 9.06, 6.5],
    [16, 4.641, 4.44, 3.3, 5.31, 3.25],
    [32, 2.33, 2.55, 1.81, 2.66, 1.62],
    [64, 1.808, 1.15, 0.97, 1.33, 0.81],
  ]),
];

/** Of 1, 2, 4 … writers. */
const rates = (perS: readonly number[]): Concurrency["rates"] =>
  perS.map((rate, at) => ({ writers: 2 ** at, low_per_s: rate, high_per_s: rate }));

const TWO: Concurrency = {
  send_window: 2,
  measured_writers: 64,
  sites: [
    { site: 1, latency_ms: 50.0, round_trips: 1.0, way: [1, 2, 2, 1] },
    { site: 2, latency_ms: 50.0, round_trips: 1.0, way: [2, 1, 1, 2] },
  ],
  rates: rates([19.23, 38.46, 66.67, 110.34, 188.24, 376.47, 752.94]),
  writers_needed: { writers: 18, reason: "" },
  write_set_ms: 855.2,
  table: TABLE,
};

const THREE: Concurrency = {
  send_window: 2,
  measured_writers: 64,
  sites: [
    { site: 1, latency_ms: 75.0, round_trips: 1.5, way: [1, 2, 3, 1] },
    { site: 2, latency_ms: 75.0, round_trips: 1.5, way: [2, 1, 3, 2] },
    { site: 3, latency_ms: 75.0, round_trips: 1.5, way: [3, 1, 2, 3] },
  ],
  rates: rates([12.82, 25.64, 44.44, 73.56, 125.49, 250.98, 501.96]),
  writers_needed: { writers: 26, reason: "" },
  write_set_ms: 1282.9,
  table: TABLE,
};

export const concurrencyOf = (delays: string): Concurrency =>
  delays.split(";").length === 2 ? TWO : THREE;
