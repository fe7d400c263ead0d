/** Browsers that receive messages of Web Push. */
import type { PushBrowser } from "@/api/types";
import { CHROME, FIREFOX } from "./access";
import { ago } from "./clusters";

/** The public key of P-256's base point: valid, and of no console. */
export const PUSH_KEY =
  "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU";

export const pushBrowser = (id: string, over: Partial<PushBrowser> = {}): PushBrowser => ({
  id,
  push_service: "updates.push.services.mozilla.com",
  user_agent: FIREFOX,
  incidents: true,
  approvals: true,
  failed_runs: true,
  created_at: ago(86_400 * 3),
  last_success_at: null,
  failures: 0,
  last_error: "",
  ...over,
});

export const pushBrowsers = (): PushBrowser[] => [
  pushBrowser("w_office", { approvals: false, last_success_at: ago(1800) }),
  pushBrowser("w_gone", {
    push_service: "fcm.googleapis.com",
    user_agent: CHROME,
    last_success_at: ago(86_400 * 2),
    failures: 3,
    last_error: "no response within 5 s",
  }),
];
