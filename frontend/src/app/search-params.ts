import * as z from "zod/mini";
import { ORPHAN_STRATEGIES } from "@/domain/operations";
import { RUN_STATES } from "@/domain/run-states";

/** A search parameter that is malformed counts as absent: an old bookmark still opens its page. */
const lenient = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z.catch(z.optional(schema), undefined);
const text = lenient(z.string());

export const signInSearch = z.object({ next: text });
export const linkSearch = z.object({ minutes: lenient(z.number()) });
export const orphansSearch = z.object({ table: text });
export const rehearsalsSearch = z.object({ kind: text });
export const settingsSearch = z.object({ hook: text });
export const workflowSearch = z.object({
  source_node: text,
  replica_node: text,
  orphans: lenient(z.enum(ORPHAN_STRATEGIES)),
  plan: text,
});
export const proofSearch = z.object({ channel: lenient(z.enum(["forward", "reverse"])) });
export const runsSearch = z.object({ link: text, state: lenient(z.enum(RUN_STATES)) });
export const auditSearch = z.object({
  link: text,
  run: text,
  actor: text,
  action: text,
  since: text,
  until: text,
});
export const clustersSearch = z.object({ node: text });
export const lookupSearch = z.object({ cluster: text, xid: lenient(z.coerce.string()) });
export const usersSearch = z.object({ person: text });
