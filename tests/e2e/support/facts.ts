/** What the demo says about itself once it is up: where it answers, who may sign in, which link it has. */
import { readFileSync } from "node:fs";

export interface DemoFacts {
  url: string;
  users: Record<string, string>;
  password: string;
  token: string;
  link_id: string;
  lab_home: string;
}

/** Read again each time: global set-up may have written it after this file was loaded. */
export function demoFacts(): DemoFacts {
  const path = process.env.HAWSER_E2E_READY_FILE;
  if (!path) throw new Error("HAWSER_E2E_READY_FILE is not set: the demo was not started");
  return JSON.parse(readFileSync(path, "utf8")) as DemoFacts;
}

/** The demo's user of a role. */
export function userOf(role: string): string {
  const found = Object.entries(demoFacts().users).find(([, has]) => has === role);
  if (!found) throw new Error(`the demo has no ${role}`);
  return found[0];
}
