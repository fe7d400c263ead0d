/** A value as it would be typed: NULL apart from the empty text, no rounding. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "string") return value === "" ? "''" : value;
  return JSON.stringify(value);
}
