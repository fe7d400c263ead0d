/** Everything that the console counts, in the form of each plural category of its language. */
import { LOCALE } from "./locale";

interface Forms {
  one: string;
  other: string;
}

const NOUNS = {
  app: { one: "authenticator app", other: "authenticator apps" },
  approval: { one: "approval", other: "approvals" },
  blocker: { one: "blocker", other: "blockers" },
  cause: { one: "cause", other: "causes" },
  decision: { one: "decision", other: "decisions" },
  delete: { one: "delete", other: "deletes" },
  "earlier event": { one: "earlier event", other: "earlier events" },
  event: { one: "event", other: "events" },
  file: { one: "file", other: "files" },
  finding: { one: "finding", other: "findings" },
  gap: { one: "gap", other: "gaps" },
  "known transaction": { one: "known transaction", other: "known transactions" },
  insert: { one: "insert", other: "inserts" },
  link: { one: "link", other: "links" },
  measurement: { one: "measurement", other: "measurements" },
  "more member": { one: "more member", other: "more members" },
  "more transaction": { one: "more transaction", other: "more transactions" },
  node: { one: "node", other: "nodes" },
  "older period": { one: "older period", other: "older periods" },
  operation: { one: "operation", other: "operations" },
  "orphaned transaction": { one: "orphaned transaction", other: "orphaned transactions" },
  "pair of nodes": { one: "pair of nodes", other: "pairs of nodes" },
  passkey: { one: "passkey", other: "passkeys" },
  record: { one: "record", other: "records" },
  rehearsal: { one: "rehearsal", other: "rehearsals" },
  row: { one: "row", other: "rows" },
  setting: { one: "setting", other: "settings" },
  source: { one: "source", other: "sources" },
  start: { one: "start", other: "starts" },
  step: { one: "step", other: "steps" },
  table: { one: "table", other: "tables" },
  transaction: { one: "transaction", other: "transactions" },
  update: { one: "update", other: "updates" },
  warning: { one: "warning", other: "warnings" },
  write: { one: "write", other: "writes" },
} as const satisfies Record<string, Forms>;

export type Noun = keyof typeof NOUNS;

const rules = new Intl.PluralRules(LOCALE);

/** The noun in the form that goes with a number; without one, in its general form. */
export function nounFor(value: number | null, noun: Noun): string {
  const forms: Forms = NOUNS[noun];
  return value !== null && rules.select(value) === "one" ? forms.one : forms.other;
}
