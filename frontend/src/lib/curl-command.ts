/** The `curl` line that does what this page just did, for a terminal or a ticket. */

export function curlCommand(method: string, path: string, origin: string, body?: unknown): string {
  const lines = [
    `curl -sS -X ${method} '${origin}${path}'`,
    `  -H "Authorization: Bearer $HAWSER_TOKEN"`,
  ];
  if (body !== undefined) {
    const json = JSON.stringify(body).replaceAll("'", String.raw`'\''`);
    lines.push(
      `  -H 'Content-Type: application/json'`,
      `  -H "Idempotency-Key: $(uuidgen)"`,
      `  -d '${json}'`,
    );
  }
  return lines.join(" \\\n");
}
