import type { StreamEvent } from "@/api/event-stream";
import {
  asNotificationChoice,
  type NotificationChoice,
  notificationFor,
} from "@/domain/notifications";
import { showNotification } from "@/lib/browser-notifications";
import { readStored, writeStored } from "@/lib/local-preferences";

const KEY = "hawser.notifications";

export const readNotificationChoice = (): NotificationChoice =>
  asNotificationChoice(readStored(KEY));

export const saveNotificationChoice = (choice: NotificationChoice) => writeStored(KEY, choice);

/** Notifies of an event as chosen, unless the user is looking at the console. */
export function notifyOf(event: StreamEvent): void {
  const notification = notificationFor(event, readNotificationChoice());
  if (notification && !document.hasFocus()) showNotification(notification).catch(() => undefined);
}
