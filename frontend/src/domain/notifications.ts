import type { StreamEvent } from "@/api/event-stream";
import type { BrowserNotification } from "@/lib/browser-notifications";

/** What this browser notifies of; off until the user turns it on here. */
export interface NotificationChoice {
  incidents: boolean;
  approvals: boolean;
  failedRuns: boolean;
}

export const NO_NOTIFICATIONS: NotificationChoice = {
  incidents: false,
  approvals: false,
  failedRuns: false,
};
export const ALL_NOTIFICATIONS: NotificationChoice = {
  incidents: true,
  approvals: true,
  failedRuns: true,
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The choice as this browser stored it; off for what is missing. Failed runs once belonged to the incidents. */
export function asNotificationChoice(stored: unknown): NotificationChoice {
  if (!isObject(stored)) return NO_NOTIFICATIONS;
  return {
    incidents: stored.incidents === true,
    approvals: stored.approvals === true,
    failedRuns: (stored.failedRuns ?? stored.incidents) === true,
  };
}

/** What Hawser cannot see is as grave as what it sees to be down. */
const isGrave = (severity: unknown) => severity === "blocker" || severity === "unknown";

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** The kind of an event, as a message of Web Push names it (backend/notifications/web_push/messages.py). */
function kindOf({ kind, severity }: StreamEvent["data"]): keyof NotificationChoice | null {
  if (kind === "run.waiting_approval") return "approvals";
  if (kind === "run.failed") return "failedRuns";
  return isGrave(severity) ? "incidents" : null;
}

const TITLES: Record<keyof NotificationChoice, string> = {
  incidents: "Hawser: incident",
  approvals: "Hawser: approval requested",
  failedRuns: "Hawser: run failed",
};

/** The notification for an event, in its own words; null where the choice leaves it out. */
export function notificationFor(
  { type, data }: StreamEvent,
  choice: NotificationChoice,
): BrowserNotification | null {
  const kind = type === "event.raised" ? kindOf(data) : null;
  if (kind === null || !choice[kind]) return null;
  const [linkId, runId] = [textOf(data.link_id), textOf(data.run_id)];
  const linkPath = linkId ? `/links/${linkId}` : "/links";
  return {
    title: TITLES[kind],
    body: textOf(data.message),
    // The same as of a message of Web Push, so that of the two only one is shown.
    tag: linkId ? `link ${linkId}` : "console",
    path: kind !== "incidents" && runId ? `/runs/${runId}` : linkPath,
  };
}
