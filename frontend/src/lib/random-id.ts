/** A random key for Idempotency-Key; `randomUUID` exists only in secure contexts, this works on plain http too. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
