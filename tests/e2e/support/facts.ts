/** What the demo says about itself once it is up: where it answers, who may sign in, which link it has. */
import { readFileSync, writeFileSync } from "node:fs";

export interface DemoFacts {
  url: string;
  users: Record<string, string>;
  password: string;
  token: string;
  link_id: string;
  lab_home: string;
  administrator?: Administrator;
}

function readyFile(): string {
  const path = process.env.HAWSER_E2E_READY_FILE;
  if (!path) throw new Error("HAWSER_E2E_READY_FILE is not set: the demo was not started");
  return path;
}

/** Read again each time: global set-up may have written it after this file was loaded. */
export function demoFacts(): DemoFacts {
  return JSON.parse(readFileSync(readyFile(), "utf8")) as DemoFacts;
}

/** What a newcomer knows of the clusters of a bare demo. */
export interface Administrator {
  nodes: { host: string; port: number }[];
  user: string;
  password: string;
  /** The file with the certificate of the servers' authority. */
  ca: string;
}

/** How an administrator reaches the clusters of a bare demo. */
export function administrator(): Administrator {
  const { administrator: found } = demoFacts();
  if (!found) throw new Error("the demo was not started with --bare");
  return found;
}

/** From here on the tests of a bare demo know the one link that was registered. */
export async function nameTheLink(): Promise<void> {
  const facts = demoFacts();
  const headers = { Authorization: `Bearer ${facts.token}` };
  const answer = await fetch(`${facts.url}/api/v1/links`, { headers });
  const { results } = (await answer.json()) as { results: { id: string }[] };
  writeFileSync(readyFile(), JSON.stringify({ ...facts, link_id: results[0]?.id }));
}

/** The demo's user of a role. */
export function userOf(role: string): string {
  const found = Object.entries(demoFacts().users).find(([, has]) => has === role);
  if (!found) throw new Error(`the demo has no ${role}`);
  return found[0];
}
