/** What the channels passed and is on both sides, and the transactions that are not. */
import type {
  DirectionAccount,
  Unaccounted,
  UnaccountedTransaction,
  UnsafeSetting,
} from "@/api/types";
import { ago, now } from "./clusters";

const LEFT_OUT = {
  fault: "missing",
  node_id: "n_a1",
  node: "db-a1",
  server_id: 21,
  file: "mariadb-bin.000211",
} as const;

const forward = (): UnaccountedTransaction[] => [
  {
    ...LEFT_OUT,
    gtid: "0-21-81244",
    seqno: 221_463_896,
    position: 884_120_377,
    end_position: 884_120_912,
    tables: ["shop.order_lines"],
    found_at: ago(420),
  },
  {
    ...LEFT_OUT,
    gtid: "0-21-81245",
    seqno: null,
    position: 884_120_912,
    end_position: 884_121_060,
    tables: [],
    found_at: ago(420),
  },
];

const reverse = (): UnaccountedTransaction[] => [
  {
    fault: "extra",
    node_id: "n_a1",
    node: "db-a1",
    gtid: "0-31-4711",
    seqno: 221_464_871,
    server_id: 31,
    file: "mariadb-bin.000211",
    position: 884_633_018,
    end_position: 884_633_402,
    tables: [],
    found_at: ago(95),
  },
];

const account = (groups: number, transactions: UnaccountedTransaction[]): DirectionAccount => ({
  since: ago(15_000),
  until: now(),
  groups,
  compared: groups,
  transactions,
  more: 0,
});

/** Both directions; what was settled is listed no more. */
export function accountsOf(isFaulty: boolean, settled: ReadonlySet<string>): Unaccounted {
  const open = (transactions: UnaccountedTransaction[]) =>
    isFaulty ? transactions.filter(({ gtid }) => !settled.has(gtid)) : [];
  return {
    forward: account(12_431, open(forward())),
    reverse: account(38, open(reverse())),
    unsafe_settings: [],
  };
}

const UNKNOWN: DirectionAccount = {
  since: null,
  until: null,
  groups: 0,
  compared: 0,
  transactions: [],
  more: 0,
};

/** A link that was not read long enough. */
export const notAccounted = (): Unaccounted => ({
  forward: UNKNOWN,
  reverse: UNKNOWN,
  unsafe_settings: [],
});

/** Of a node that a restart gave a filter, and of one that still has it. */
const UNSAFE: readonly UnsafeSetting[] = [
  {
    node_id: "n_a2",
    node: "db-a2",
    variable: "binlog_ignore_db",
    value: "audit",
    since: ago(5_400),
    until: ago(1_260),
  },
  {
    node_id: "n_b3",
    node: "db-b3",
    variable: "wsrep_osu_method",
    value: "RSU",
    since: ago(640),
    until: null,
  },
];

export const choiceOfSetting = ({
  node_id,
  variable,
}: Pick<UnsafeSetting, "node_id" | "variable">) => `${node_id} ${variable}`;

export const unsafeSettings = (settled: ReadonlySet<string>): UnsafeSetting[] =>
  UNSAFE.filter((one) => !settled.has(choiceOfSetting(one)));
