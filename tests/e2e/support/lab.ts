/** The lab beside the browser: what an administrator does on the servers themselves. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { demoFacts } from "./facts";

/** Run one command of the lab; its output. */
export function lab(...args: string[]): string {
  const python = existsSync(".venv/bin/python") ? ".venv/bin/python" : "python3";
  const env = { ...process.env, HAWSER_LAB_HOME: demoFacts().lab_home };
  return execFileSync(python, ["-m", "deploy.lab", ...args], { env, encoding: "utf8" });
}

/** Run one statement on a node as administrator; its rows. */
export const sql = (node: string, statement: string) =>
  JSON.parse(lab("sql", node, statement)) as Record<string, unknown>[];
