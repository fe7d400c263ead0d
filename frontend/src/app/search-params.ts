import * as z from "zod/mini";
import { COMPARED_TABLE_STATES } from "@/domain/compared-table-states";
import { PROFILES, SHOWN_SETTINGS } from "@/domain/configuration";
import { ADVICE_FILTERS, GROUPS, LAYOUTS, LINK_STATES, SORTS } from "@/domain/fleet/view-options";
import { ORPHAN_STRATEGIES } from "@/domain/operation-kinds";
import { RUN_STATES } from "@/domain/run-states";
import { TIMELINE_KINDS } from "@/domain/timeline-kinds";

/** A search parameter that is malformed counts as absent: an old bookmark still opens its page. */
const lenient = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z.catch(z.optional(schema), undefined);
const text = lenient(z.string());

export const signInSearch = z.object({ next: text });
/** The router reads digits as a number, and codes may be digits. */
const sent = lenient(z.coerce.string());
export const callbackSearch = z.object({ state: sent, code: sent, iss: text, error: text });
export const linksSearch = z.object({
  view: lenient(z.enum(LAYOUTS)),
  q: lenient(z.coerce.string()),
  state: lenient(z.enum(LINK_STATES)),
  site: lenient(z.coerce.string()),
  environment: lenient(z.coerce.string()),
  pair: text,
  attention: lenient(z.boolean()),
  advice: lenient(z.enum(ADVICE_FILTERS)),
  sort: lenient(z.enum(SORTS)),
  desc: lenient(z.boolean()),
  group: lenient(z.enum(GROUPS)),
});
export const linkSearch = z.object({
  minutes: lenient(z.number()),
  from: text,
  to: text,
  unit: lenient(z.enum(["transactions", "seconds"])),
  /** Of the lag; or the whole link for a wall. */
  view: lenient(z.enum(["chart", "table", "wall"])),
  show: lenient(z.enum(TIMELINE_KINDS)),
  entry: text,
});
export const orphansSearch = z.object({ table: text });
export const comparisonSearch = z.object({
  state: lenient(z.enum(COMPARED_TABLE_STATES)),
  table: text,
});
export const rehearsalsSearch = z.object({ kind: text });
export const networkSearch = z.object({
  max_commit_ms: lenient(z.number()),
  peak_write_mbit_s: lenient(z.number()),
});
export const settingsSearch = z.object({ hook: text });
export const workflowSearch = z.object({
  source_node: text,
  replica_node: text,
  orphans: lenient(z.enum(ORPHAN_STRATEGIES)),
  plan: text,
});
export const proofSearch = z.object({ channel: lenient(z.enum(["forward", "reverse"])) });
export const incidentsSearch = z.object({ site: text });
export const runsSearch = z.object({ link: text, state: lenient(z.enum(RUN_STATES)) });
export const historySearch = z.object({
  link: text,
  kind: text,
  outcome: lenient(z.enum(RUN_STATES)),
  person: text,
  since: text,
  until: text,
  q: lenient(z.coerce.string()),
});
export const concurrencySearch = z.object({ cluster: text });
export const configurationSearch = z.object({
  profile: lenient(z.enum(PROFILES)),
  show: lenient(z.enum(SHOWN_SETTINGS)),
});
export const periodSearch = z.object({ since: text, until: text });
export const auditSearch = z.object({
  seq: lenient(z.number()),
  link: text,
  run: text,
  actor: text,
  action: text,
  since: text,
  until: text,
});
export const clustersSearch = z.object({ node: text });
export const registrationSearch = z.object({
  step: lenient(z.enum(["first", "second", "link", "review", "rehearsal"])),
});
/** The router reads digits as a number; numbers longer than a browser's are kept as text. */
const typed = lenient(z.coerce.string());
export const lookupSearch = z.object({
  link: text,
  xid: typed,
  gtid: text,
  file: text,
  position: typed,
  cluster: text,
  node: text,
  server_id: typed,
  since: text,
  until: text,
  table: text,
  text: typed,
});
export const usersSearch = z.object({ person: text });
