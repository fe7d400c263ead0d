/** Notifications of the operating system, shown by this browser while a page of the console is open. */

export interface BrowserNotification {
  title: string;
  body: string;
  /** A later one with the same tag replaces this one, also from another tab. */
  tag: string;
  /** The page that a click opens. */
  path: string;
}

export type NotificationSupport = NotificationPermission | "unsupported";

export const notificationSupport = (): NotificationSupport =>
  "Notification" in window ? Notification.permission : "unsupported";

/** Asks the user, where the browser has no answer yet. */
export const askForNotifications = async (): Promise<NotificationSupport> =>
  "Notification" in window ? Notification.requestPermission() : "unsupported";

/** Answers the service worker, which shows no message while a visible page gets events itself; returns how to stop. */
export function answerServiceWorker(): () => void {
  if (!("serviceWorker" in navigator)) return () => undefined;
  const answer = ({ ports }: MessageEvent) => ports[0]?.postMessage(true);
  navigator.serviceWorker.addEventListener("message", answer);
  return () => navigator.serviceWorker.removeEventListener("message", answer);
}

/** A phone shows notifications only through the service worker; the worker opens the page then. */
export async function showNotification(notification: BrowserNotification): Promise<void> {
  if (notificationSupport() !== "granted") return;
  const { title, path, ...text } = notification;
  // One that replaces another one alerts again.
  const options = { ...text, renotify: true };
  const worker =
    "serviceWorker" in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
  if (worker) return worker.showNotification(title, { ...options, data: { path } });
  const shown = new Notification(title, options);
  shown.onclick = () => {
    window.focus();
    window.location.assign(path);
  };
}
