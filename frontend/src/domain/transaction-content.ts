/** A part that a log does not tell, and the sizes of compressed rows, which do not compare. */
const UNTOLD = ["-", "c"];

/** Whether two logs tell of the same transaction, as far as both tell: the rule of backend/core/binlog/content.py. */
export function isSameContent(one: string, other: string): boolean {
  const others = other.split(".");
  return one.split(".").every((part, i) => isSamePart(part, others[i]));
}

function isSamePart(one: string, other: string | undefined): boolean {
  return one === other || UNTOLD.includes(one) || (other !== undefined && UNTOLD.includes(other));
}
