/** The row that a channel stopped on, as the server would tell of it. */
import type { ChannelError } from "@/api/types";
import { ago } from "./clusters";

const UNLOGGED =
  "SET SESSION wsrep_on=OFF, sql_log_bin=0, time_zone='+00:00', sql_mode='STRICT_ALL_TABLES,ALLOW_INVALID_DATES,NO_AUTO_VALUE_ON_ZERO';";
const DELETE =
  "DELETE FROM `shop`.`orders` WHERE `id` <=> 88213 AND `amount` <=> 20.00 AND `note` IS NULL LIMIT 1;";

const INSERT =
  "INSERT INTO `shop`.`orders` (`id`, `customer`, `amount`, `note`) VALUES (88213, '4711', 20.00, NULL);";

const onEach = (sql: string) =>
  ["db-b1", "db-b2"].flatMap((node) => [
    { node, sql: UNLOGGED },
    { node, sql },
  ]);

export const channelError = (): ChannelError => ({
  direction: "forward",
  state: "row_in_the_way",
  detail:
    "The insert in shop.orders cannot be applied: db-b1 has another row with the same value of the unique key (id).",
  errno: 1062,
  error:
    "Could not execute Write_rows_v1 event on table shop.orders; Duplicate entry '88213' for key 'PRIMARY'",
  replica: "db-b1",
  source: "db-a1",
  transaction: {
    from: { file: "mariadb-bin.000211", position: 884_641_120 },
    to: { file: "mariadb-bin.000211", position: 884_641_533 },
    seqno: 221_465_089,
    gtid: "0-21-221465089",
    at: ago(240),
    tables: ["shop.orders"],
    rows: 1,
  },
  row: {
    schema: "shop",
    table: "orders",
    operation: "insert",
    key: ["id"],
    before: null,
    after: { id: 88213, customer: "4711", amount: "25.00", note: null },
    source: { id: 88213, customer: "4711", amount: "25.00", note: "paid" },
    source_unread: "",
    replica: [{ id: 88213, customer: "4711", amount: "20.00", note: null }],
    differing: ["amount"],
  },
  ways: [
    {
      code: "keep_source_row",
      title: "Keep db-a1's row",
      sentence:
        "On each of db-b1, db-b2, in one session that neither logs nor replicates, delete the conflicting row. Then plan a start of the channel and attest that the cause is fixed. The transaction then writes its own row. Check first that the table has no triggers there, because they would fire.",
      statements: onEach(DELETE),
      put_back: onEach(INSERT),
      plan_kind: "start_channel",
    },
  ],
});
