import type { StreamEvent } from "@/api/event-stream";
import type { BrowserNotification } from "@/lib/browser-notifications";

/** What this browser notifies of; off until the user turns it on here. */
export interface NotificationChoice {
  incidents: boolean;
  approvals: boolean;
}

export const NO_NOTIFICATIONS: NotificationChoice = { incidents: false, approvals: false };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The choice as this browser stored it; off for what is missing. */
export const asNotificationChoice = (stored: unknown): NotificationChoice => ({
  incidents: isObject(stored) && stored.incidents === true,
  approvals: isObject(stored) && stored.approvals === true,
});

/** What Hawser cannot see is as grave as what it sees to be down. */
const isGrave = (severity: unknown) => severity === "blocker" || severity === "unknown";

/** The notification for an event, in its own words; null where the choice leaves it out. */
export function notificationFor(
  { type, data }: StreamEvent,
  choice: NotificationChoice,
): BrowserNotification | null {
  const linkId = typeof data.link_id === "string" ? data.link_id : "";
  if (type === "event.raised" && isGrave(data.severity) && choice.incidents)
    return {
      title: "Hawser: incident",
      body: String(data.message),
      tag: `incident ${linkId} ${String(data.kind)}`,
      path: linkId ? `/links/${linkId}` : "/links",
    };
  if (type === "run.updated" && data.state === "waiting_approval" && choice.approvals)
    return {
      title: "Hawser: approval requested",
      body: "A run waits for the approval of a second person.",
      tag: `approval ${String(data.run_id)}`,
      path: `/runs/${String(data.run_id)}`,
    };
  return null;
}
