import { useState } from "react";
import type { ClusterConcurrency, ConcurrencyGiven } from "@/api/types";
import { useServerForm } from "@/components/use-server-form";
import { evenDelays, queryOf } from "./delay-matrix";

export const NAMES = [
  "writer",
  "send_window",
  "wanted_per_s",
  "own_rate_per_s",
  "write_set_bytes",
] as const;

export type Field = (typeof NAMES)[number];
type Values = Record<Field, number | "">;

const FIRST: Values = {
  writer: 1,
  send_window: 2,
  wanted_per_s: 200,
  own_rate_per_s: "",
  write_set_bytes: 1_048_576,
};

const filled = (values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));

const FIRST_ROWS = evenDelays(2, "25");

/** What the page shows first: two sites, 50 ms there and back. */
export const FIRST_GIVEN: ConcurrencyGiven = { delays_ms: queryOf(FIRST_ROWS), ...filled(FIRST) };

/** The delays and what is asked of them, typed or read from a cluster. */
export function useConcurrencyForm(ask: (given: ConcurrencyGiven) => Promise<unknown>) {
  const [rows, setRows] = useState(FIRST_ROWS);
  const [differ, setDiffer] = useState(false);
  const { form, submit, attempt, problem } = useServerForm<Values>({ initialValues: FIRST });
  const send = (delays: typeof rows) => (values: Values) =>
    ask({ delays_ms: queryOf(delays), ...filled(values) });
  /** What was not read keeps its value. */
  const fill = ({ given }: ClusterConcurrency) => {
    const read = given.one_way_ms === null ? rows : evenDelays(2, String(given.one_way_ms));
    const before = form.getValues();
    const values: Values = {
      ...before,
      writer: given.one_way_ms === null ? before.writer : 1,
      send_window: given.send_window ?? before.send_window,
      wanted_per_s: given.wanted_per_s ?? before.wanted_per_s,
    };
    setRows(read);
    if (read !== rows) setDiffer(false);
    form.setValues(values);
    return attempt(values, send(read));
  };
  return { form, onSubmit: submit(send(rows)), problem, rows, setRows, differ, setDiffer, fill };
}
