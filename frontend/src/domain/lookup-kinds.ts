/** What a transaction can be looked up by, and how a typed text is read. */
import { fromInputTime } from "@/lib/format/input-time";
import type { Zone } from "@/lib/format/time";

export type LookupKind = "xid" | "gtid" | "position" | "time" | "table" | "server_id" | "text";

export const LOOKUP_KIND_LABELS: Record<LookupKind, string> = {
  xid: "Xid (seqno)",
  gtid: "GTID",
  position: "File and position",
  time: "Time",
  table: "Table",
  server_id: "Server id",
  text: "Statement text",
};

const GROUPED = /^\d{1,3}([,_ ]\d{3})+$|^\d+$/;
const GTID = /^\d+-\d+-\d+$/;
const POSITION = /^(\S+\.\d{6,10})\s*[:\s]\s*(\d[\d,_ ]*)$/;
const TIME = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?(Z| ?UTC)?$/;
const TABLE = /^[\w$-]+\.[\w$-]+$/;

export const digitsOf = (text: string): string => text.replace(/[,_\s]/g, "");

/** The kind that a text looks like; undefined while nothing is typed. */
export function suggestKind(typed: string): LookupKind | undefined {
  const text = typed.trim();
  if (!text) return undefined;
  if (GROUPED.test(text)) return "xid";
  // A day has the form of a GTID, and is typed more often than one of such numbers.
  if (TIME.test(text)) return "time";
  if (GTID.test(text)) return "gtid";
  if (POSITION.test(text)) return "position";
  if (TABLE.test(text)) return "table";
  return "text";
}

/** "binlog.000042:1,309" or the two apart by blanks; undefined where it is no position. */
export function readPosition(text: string): { file: string; position: number } | undefined {
  const found = POSITION.exec(text.trim());
  if (!found?.[1] || !found[2]) return undefined;
  const position = Number(digitsOf(found[2]));
  return position >= 4 && Number.isSafeInteger(position) ? { file: found[1], position } : undefined;
}

/** The day, minute or second that a text names, as a range; a text with Z or UTC is in UTC whatever the zone. */
export function readTimeRange(
  typed: string,
  zone: Zone,
): { since: string; until: string } | undefined {
  const text = typed.trim();
  const found = TIME.exec(text);
  if (!found) return undefined;
  const moment = text.replace(/(Z| ?UTC)$/, "").replace(" ", "T");
  const full = found[1] ? moment : `${moment}T00:00`;
  const begin = fromInputTime(full, found[3] === undefined ? zone : "utc");
  if (begin === undefined) return undefined;
  const start = new Date(begin).getTime();
  const seconds = found[2] ? 1 : found[1] ? 60 : 86_400;
  return {
    since: new Date(start).toISOString(),
    until: new Date(start + (seconds - 1) * 1000).toISOString(),
  };
}
