/** Numbers as an operator compares them: grouped, never rounded where identity matters. */

import { LOCALE } from "./locale";
import { type Noun, nounFor } from "./nouns";

const group = new Intl.NumberFormat(LOCALE);

/** 221463896 -> "221,463,896"; null -> "unknown". */
export function formatNumber(value: number | null | undefined): string {
  return value === null || value === undefined ? "unknown" : group.format(value);
}

/** "1 transaction", "1,204 transactions", "an unknown number of transactions". */
export function pluralize(value: number | null | undefined, noun: Noun): string {
  if (value === null || value === undefined) return `an unknown number of ${nounFor(null, noun)}`;
  return `${group.format(value)} ${nounFor(value, noun)}`;
}

/** 412 -> "412 B", 73400320 -> "70 MB". */
export function formatBytes(value: number | null | undefined): string {
  if (value === null || value === undefined) return "unknown";
  const units = ["B", "kB", "MB", "GB", "TB"];
  let size = value;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size >= 10 || unit === 0 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

/** "mariadb-bin.000211 : 884,120,377"; a position without a file is not a position. */
export function formatPosition(
  file: string | null | undefined,
  position: number | null | undefined,
): string {
  if (!file || position === null || position === undefined) return "unknown";
  return `${file} : ${group.format(position)}`;
}

/** "mariadb-bin.000211" -> "000211": enough where the base name is already on the screen. */
export function shortFile(file: string): string {
  return file.slice(file.lastIndexOf(".") + 1);
}

/** The first characters of a digest or UUID, enough to compare by eye. */
export function shortHash(value: string | null | undefined, length = 8): string {
  if (!value) return "unknown";
  return value.replace(/^sha256:/, "").slice(0, length);
}
