/** The criteria in the page's address, in the form and in the call of the API. */
import type { LookupCriteria } from "@/api/types";
import {
  digitsOf,
  type LookupKind,
  readPosition,
  readTimeRange,
  suggestKind,
} from "@/domain/lookup-kinds";
import { fromInputTime, toInputTime } from "@/lib/format/input-time";
import type { Zone } from "@/lib/format/time";

export interface LookupSearch {
  link?: string | undefined;
  xid?: string | undefined;
  gtid?: string | undefined;
  file?: string | undefined;
  position?: string | undefined;
  cluster?: string | undefined;
  node?: string | undefined;
  server_id?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  table?: string | undefined;
  text?: string | undefined;
}

export interface LookupValues {
  link: string;
  typed: string;
  /** Empty: as the typed text suggests. */
  kind: LookupKind | "";
  cluster: string;
  node: string;
  since: string;
  until: string;
  server_id: string;
  table: string;
  text: string;
}

const NUMBERS = ["xid", "position", "server_id"] as const;
const TEXTS = ["gtid", "file", "cluster", "node", "since", "until", "table", "text"] as const;

/** The query of the API; undefined where the address asks for nothing. */
export function criteriaOf(search: LookupSearch): LookupCriteria | undefined {
  const texts = TEXTS.filter((name) => search[name]).map((name) => [name, search[name]]);
  const numbers = NUMBERS.filter((name) => search[name]).map((name) => [
    name,
    Number(search[name]),
  ]);
  const criteria = Object.fromEntries([...texts, ...numbers]) as LookupCriteria;
  const { cluster: _cluster, node: _node, ...asked } = criteria;
  return Object.keys(asked).length > 0 ? criteria : undefined;
}

/** The criterion that stands in the first field of the form: the one that says most. */
function mainOf(search: LookupSearch): Pick<LookupValues, "typed" | "kind"> {
  if (search.xid) return { typed: search.xid, kind: "xid" };
  if (search.gtid) return { typed: search.gtid, kind: "gtid" };
  if (search.file) return { typed: `${search.file}:${search.position ?? ""}`, kind: "position" };
  if (search.text) return { typed: search.text, kind: "text" };
  if (search.table) return { typed: search.table, kind: "table" };
  if (search.server_id) return { typed: search.server_id, kind: "server_id" };
  return { typed: "", kind: "" };
}

/** The form as the address fills it. */
export function valuesOf(search: LookupSearch, link: string, zone: Zone): LookupValues {
  const { typed, kind } = mainOf(search);
  const rest = (name: "server_id" | "table" | "text") =>
    kind === name ? "" : (search[name] ?? "");
  return {
    link,
    typed,
    // A kind that the text suggests anyway stays a suggestion: another text may be of another kind.
    kind: suggestKind(typed) === kind ? "" : kind,
    cluster: search.cluster ?? "",
    node: search.node ?? "",
    since: toInputTime(search.since, zone, "second"),
    until: toInputTime(search.until, zone, "second"),
    server_id: rest("server_id"),
    table: rest("table"),
    text: rest("text"),
  };
}

export const kindOf = (values: LookupValues): LookupKind | undefined =>
  values.kind || suggestKind(values.typed);

/** What is wrong with the first field; null where it can be looked up. */
export function typedError(values: LookupValues, zone: Zone): string | null {
  const text = values.typed.trim();
  const hasMore = [values.since, values.until, values.server_id, values.table, values.text].some(
    Boolean,
  );
  if (!text) return hasMore ? null : "Enter what you know of the transaction";
  const digits = /^\d{1,15}$/.test(digitsOf(text));
  const checks: Record<LookupKind, [boolean, string]> = {
    xid: [digits, "Enter an Xid, in digits"],
    server_id: [digits, "Enter a server id, in digits"],
    gtid: [/^\d+-\d+-\d+$/.test(text), "Enter a GTID, for example 0-11-57"],
    position: [
      readPosition(text) !== undefined,
      "Enter file:position, for example binlog.000042:1309",
    ],
    time: [readTimeRange(text, zone) !== undefined, "Enter a time, for example 2026-03-04 05:06"],
    table: [/^[^.\s]+\.[^.\s]+$/.test(text), "Enter schema.table, for example shop.orders"],
    text: [text.length >= 3, "Enter at least 3 characters of the statement"],
  };
  const [isGood, message] = checks[kindOf(values) ?? "text"];
  return isGood ? null : message;
}

/** The address of what the form says. */
export function searchOf(values: LookupValues, zone: Zone): LookupSearch {
  const text = values.typed.trim();
  const kind = text ? kindOf(values) : undefined;
  const narrowed: LookupSearch = {
    link: values.link,
    since: fromInputTime(values.since, zone),
    until: fromInputTime(values.until, zone),
    server_id: digitsOf(values.server_id) || undefined,
    table: values.table.trim() || undefined,
    text: values.text.trim() || undefined,
  };
  if (kind === "position") {
    const location = readPosition(text);
    return {
      ...narrowed,
      file: location?.file,
      position: String(location?.position),
      node: values.node,
    };
  }
  if (kind === "xid") return { ...narrowed, xid: digitsOf(text), cluster: values.cluster };
  if (kind === "time") return { ...narrowed, ...readTimeRange(text, zone) };
  if (kind === "server_id") return { ...narrowed, server_id: digitsOf(text) };
  return kind ? { ...narrowed, [kind]: text } : narrowed;
}
