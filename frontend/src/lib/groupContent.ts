const UNTOLD = "-";

/** Whether two logs tell of the same transaction, as far as both tell: the rule of backend/core/binlog/content.py. */
export function isSameContent(one: string, other: string): boolean {
  const others = other.split(".");
  return one.split(".").every((part, i) => isSamePart(part, others[i]));
}

function isSamePart(one: string, other: string | undefined): boolean {
  if (one === other || one === UNTOLD || other === UNTOLD) return true;
  return `${one.charAt(0)}${other?.charAt(0)}`.match(/^(cu|uc)$/) !== null;
}
