/** The proof over time; what is to be settled, and its settlement: all that is named, or none. */
import type { Unaccounted } from "@/api/types";
import type { Database } from "../db";
import { http, problem } from "../http";
import { notRecorded, proofOf } from "../seeds/proof";
import { accountsOf, choiceOfSetting, notAccounted, unsafeSettings } from "../seeds/unaccounted";

/** Scenarios whose channels are not seen, or were not read for long enough. */
const UNKNOWN = new Set(["unknown", "untried"]);

const DAY_MS = 86_400_000;

const isFaulty = ({ scenario }: Database) => scenario === "unaccounted";

function listOf(db: Database): Unaccounted {
  if (UNKNOWN.has(db.scenario)) return notAccounted();
  const isUnsafe = db.scenario === "unsafe-settings";
  return {
    ...accountsOf(isFaulty(db), db.settled),
    unsafe_settings: isUnsafe ? unsafeSettings(db.settled) : [],
  };
}

const changed = (detail: string) =>
  problem(
    409,
    "unaccounted_changed",
    "What is to be settled changed in the meantime",
    `${detail} Nothing was settled. Read the list again.`,
  );

export const unaccountedHandlers = (db: Database) => [
  http.get("/api/v1/links/{link_id}/unaccounted", ({ response }) => response(200).json(listOf(db))),
  http.get("/api/v1/links/{link_id}/proof", ({ query, response }) => {
    const until = Date.parse(query.get("to") ?? "") || Date.now();
    const since = Date.parse(query.get("from") ?? "") || until - DAY_MS;
    const made = UNKNOWN.has(db.scenario) ? notRecorded : proofOf;
    return response(200).json(made(since, until));
  }),
  http.post("/api/v1/links/{link_id}/unaccounted/settle", async ({ request, response }) => {
    const { direction, gtids } = await request.json();
    const listed = listOf(db)[direction].transactions;
    const strange = gtids.filter((gtid) => !listed.some((one) => one.gtid === gtid));
    if (strange.length > 0)
      return response.untyped(
        changed(
          `${strange.join(", ")} is not among the transactions that do not stand on both sides.`,
        ),
      );
    for (const gtid of gtids) db.settled.add(gtid);
    return response(200).json(listOf(db));
  }),
  http.post(
    "/api/v1/links/{link_id}/unaccounted/settle-settings",
    async ({ request, response }) => {
      const choices = (await request.json()).settings.map(choiceOfSetting);
      const over = listOf(db).unsafe_settings.filter(({ until }) => until !== null);
      const known = new Set(over.map(choiceOfSetting));
      if (choices.some((choice) => !known.has(choice)))
        return response.untyped(changed("Not listed."));
      for (const choice of choices) db.settled.add(choice);
      return response(200).json(listOf(db));
    },
  ),
];
