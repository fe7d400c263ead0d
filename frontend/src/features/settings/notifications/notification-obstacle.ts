import type { NotificationSupport } from "@/lib/browser-notifications";
import type { PushSupport } from "@/lib/web-push";

export interface Obstacle {
  title: string;
  description: string;
}

/** Why this browser shows no notification, whatever is chosen. */
const PERMISSION: Partial<Record<NotificationSupport, Obstacle>> = {
  denied: {
    title: "This browser blocks notifications of this site.",
    description: "Allow them in the browser's settings of this site, then reload the page.",
  },
  unsupported: {
    title: "This browser cannot show notifications.",
    description:
      "On an iPhone, add Hawser to the home screen first. Elsewhere use a newer browser.",
  },
};

/** Why this browser gets no messages while the console is closed. */
const PUSH: Partial<Record<PushSupport, Obstacle>> = {
  insecure: {
    title: "Web Push needs https.",
    description: "This page was opened without TLS. Open the console by its https address.",
  },
  unsupported: {
    title: "This browser does not support Web Push.",
    description:
      "On an iPhone, add Hawser to the home screen first. Private windows often do not support it.",
  },
};

const NOT_CONFIGURED: Obstacle = {
  title: "Web Push is not configured on this console.",
  description:
    "An administrator of the host sets HAWSER_WEB_PUSH_KEY for web and worker and restarts both.",
};

export const permissionObstacle = (support: NotificationSupport): Obstacle | null =>
  PERMISSION[support] ?? null;

/** Null where Web Push can be turned on, or where the permission already says why not. */
export function pushObstacle(support: PushSupport, publicKey: string | null): Obstacle | null {
  return PUSH[support] ?? (publicKey === null ? NOT_CONFIGURED : null);
}
