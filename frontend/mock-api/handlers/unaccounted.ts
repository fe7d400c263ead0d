/** Transactions that are not on both sides, and their settlement: all that are named, or none. */
import type { Database } from "../db";
import { http, problem } from "../http";
import { accountsOf, notAccounted } from "../seeds/unaccounted";

/** Scenarios whose channels are not seen, or were not read for long enough. */
const UNKNOWN = new Set(["unknown", "untried"]);

const isFaulty = ({ scenario }: Database) => scenario === "unaccounted";

export const unaccountedHandlers = (db: Database) => [
  http.get("/api/v1/links/{link_id}/unaccounted", ({ response }) =>
    response(200).json(
      UNKNOWN.has(db.scenario) ? notAccounted() : accountsOf(isFaulty(db), db.settled),
    ),
  ),
  http.post("/api/v1/links/{link_id}/unaccounted/settle", async ({ request, response }) => {
    const { direction, gtids } = await request.json();
    const listed = accountsOf(isFaulty(db), db.settled)[direction].transactions;
    const strange = gtids.filter((gtid) => !listed.some((one) => one.gtid === gtid));
    if (strange.length > 0)
      return response.untyped(
        problem(
          409,
          "unaccounted_changed",
          "Transactions to settle changed in the meantime",
          `${strange.join(", ")} is not among the transactions that do not stand on both sides. Nothing was settled. Read the list again.`,
        ),
      );
    for (const gtid of gtids) db.settled.add(gtid);
    return response(200).json(accountsOf(isFaulty(db), db.settled));
  }),
];
