/** This browser as one that gets messages of Web Push: turned on, renewed and turned off. */
import { addPushBrowser, readPush, removePushBrowser } from "@/api/resources/push";
import type { NotificationChoice } from "@/domain/notifications";
import { readStored, writeStored } from "@/lib/local-preferences";
import { browserEndpoint, subscribeBrowser, unsubscribeBrowser } from "@/lib/web-push";
import { readNotificationChoice } from "./notification-choice";

const KEY = "hawser.push";

interface Registration {
  id: string;
  endpoint: string;
}

/** What this browser remembers of its registration; null where it has none. */
function readRegistration(): Registration | null {
  const stored = readStored(KEY) as Partial<Registration> | null;
  return stored?.id && stored.endpoint ? { id: stored.id, endpoint: stored.endpoint } : null;
}

/** The id under which the server knows this browser. */
export const registeredId = (): string | null => readRegistration()?.id ?? null;

/** Subscribes this browser and tells the server; also to change what it is told of. */
export async function turnOnPush(publicKey: string, choice: NotificationChoice): Promise<void> {
  const address = await subscribeBrowser(publicKey);
  const { incidents, approvals, failedRuns: failed_runs } = choice;
  const { id } = await addPushBrowser({ ...address, incidents, approvals, failed_runs });
  writeStored(KEY, { id, endpoint: address.endpoint });
}

/** Changes what this browser is told of, unless it was removed on the server. */
export async function changePush(choice: NotificationChoice): Promise<void> {
  const id = registeredId();
  if (!id) return;
  const { public_key, subscriptions } = await readPush();
  if (public_key && subscriptions.some((one) => one.id === id))
    await turnOnPush(public_key, choice);
}

/** Ends it in this browser even where the server is unreachable: its push service then tells the server. */
export async function turnOffPush(): Promise<void> {
  const id = registeredId();
  writeStored(KEY, null);
  await Promise.all([unsubscribeBrowser(), id && removePushBrowser(id)]);
}

/** Before a sign-out: the next user of this browser gets no messages of this one. */
export async function leavePush(): Promise<void> {
  if (registeredId()) await turnOffPush().catch(() => undefined);
}

/** Registers this browser again where its push service gave it another address meanwhile. */
export async function renewPush(): Promise<void> {
  const registered = readRegistration();
  if (!registered || Notification.permission !== "granted") return;
  if ((await browserEndpoint()) === registered.endpoint) return;
  const { public_key } = await readPush();
  if (public_key) await turnOnPush(public_key, readNotificationChoice());
}
