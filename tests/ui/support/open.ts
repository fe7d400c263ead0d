/** A page in a state that the mock API is put into first; the query is explained in frontend/mock-api/server.ts. */
import type { Page } from "@playwright/test";

export type Role = "viewer" | "auditor" | "operator" | "approver" | "admin" | "none";

export interface State {
  scenario?: string;
  role?: Role;
  /** How `GET PATH` answers: "/runs:500", "/runs:slow", "/runs:empty". */
  answers?: string[];
}

/** The address that resets the mock API and then shows the page. */
function addressOf(path: string, state: State = {}): string {
  const query = new URLSearchParams({ to: path });
  if (state.scenario) query.set("scenario", state.scenario);
  if (state.role) query.set("role", state.role);
  for (const answer of state.answers ?? []) query.append("answer", answer);
  return `/mock/reset?${query.toString()}`;
}

export const open = (page: Page, path: string, state?: State) => page.goto(addressOf(path, state));

export const headingOf = (page: Page, name: RegExp) =>
  page.getByRole("heading", { level: 1, name });
