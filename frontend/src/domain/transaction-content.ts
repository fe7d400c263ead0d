/** A part that is absent from a log, and the size of compressed rows, which cannot be compared. */
const INCOMPARABLE = ["-", "c"];

/** Whether two digests agree in every part that both logs have: the rule of backend/core/binlog/content.py. */
export function isSameContent(one: string, other: string): boolean {
  const others = other.split(".");
  return one.split(".").every((part, i) => isSamePart(part, others[i]));
}

function isSamePart(one: string, other: string | undefined): boolean {
  return (
    one === other ||
    INCOMPARABLE.includes(one) ||
    (other !== undefined && INCOMPARABLE.includes(other))
  );
}
