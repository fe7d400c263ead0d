/** Web Push of this browser: its push service delivers messages while no page of the console is open. */

/** Where the browser delivers to, and the keys with which a message is encrypted for it. */
export interface PushAddress {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export type PushSupport = "supported" | "insecure" | "unsupported";

/** Service workers and push exist on https only. */
export function pushSupport(): PushSupport {
  if (!window.isSecureContext) return "insecure";
  const has = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  return has ? "supported" : "unsupported";
}

async function pushManager(): Promise<PushManager> {
  const worker = await navigator.serviceWorker.getRegistration();
  if (!worker)
    throw new Error("The service worker of Hawser does not run in this browser. Reload the page.");
  return worker.pushManager;
}

const base64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const hasKey = ({ options }: PushSubscription, key: string) =>
  options.applicationServerKey !== null && base64url(options.applicationServerKey) === key;

/** Chromium waits without end where it cannot reach its push service. */
const ANSWER_MS = 30_000;

const tooLate = () =>
  new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${ANSWER_MS / 1000} s`)), ANSWER_MS);
  });

/** What browsers say of it is short: "Registration failed - push service error". */
function refused(cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new Error(
    `The browser could not subscribe at its push service: ${reason.replace(/\.$/, "")}. Check that the browser can reach the internet, and that its settings do not disable push messages.`,
    { cause },
  );
}

/** Subscribes at the browser's push service for this console; one for another key of it ends. */
export async function subscribeBrowser(key: string): Promise<PushAddress> {
  const manager = await pushManager();
  const known = await manager.getSubscription();
  if (known && !hasKey(known, key)) await known.unsubscribe();
  const made = await Promise.race([
    manager.subscribe({ userVisibleOnly: true, applicationServerKey: key }),
    tooLate(),
  ]).catch(refused);
  const { endpoint = "", keys = {} } = made.toJSON();
  return { endpoint, p256dh: keys.p256dh ?? "", auth: keys.auth ?? "" };
}

export async function unsubscribeBrowser(): Promise<void> {
  const known = await (await pushManager()).getSubscription();
  await known?.unsubscribe();
}

/** Where this browser is subscribed; null where it is not. */
export async function browserEndpoint(): Promise<string | null> {
  const known = await (await pushManager()).getSubscription();
  return known?.endpoint ?? null;
}
