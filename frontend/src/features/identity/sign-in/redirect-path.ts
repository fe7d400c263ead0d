const KEY = "hawser.next";

/** Only an address of this console may follow a sign-in. */
export const safeRedirectPath = (next: string | null | undefined): string =>
  next?.startsWith("/") && !next.startsWith("//") && !next.startsWith("/\\") ? next : "/links";

/** Keeps the address that was asked for while the browser is at the provider. */
export function keepNext(next: string | undefined): void {
  if (next) sessionStorage.setItem(KEY, next);
  else sessionStorage.removeItem(KEY);
}

/** The address that was kept; it is forgotten by this. */
export function takeNext(): string {
  const next = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return safeRedirectPath(next);
}
