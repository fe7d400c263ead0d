/** Destinations of notifications, as the server would tell of them. */
import type { Delivery, Destination } from "@/api/types";
import { ago } from "./clusters";

/** An event of a node that was delivered. */
export const delivered = (
  hook_id: string,
  id: string,
  secondsAgo: number,
  over: Partial<Delivery> = {},
): Delivery => ({
  id,
  hook_id,
  key: `event:${id}`,
  phase: "event",
  kind: "node.down",
  run_id: null,
  payload: { kind: "node.down", link: "orders" },
  state: "delivered",
  attempts: 1,
  status: hook_id === "k_mail" ? 250 : 202,
  ms: 84,
  answer: "",
  error: "",
  created_at: ago(secondsAgo),
  last_at: ago(secondsAgo),
  due_at: null,
  ...over,
});

export const destinationDeliveries = (hook_id: string): Delivery[] => [
  { ...delivered(hook_id, "d_3", 600), error: "1 of 2 recipients were refused" },
  {
    ...delivered(hook_id, "d_2", 3600),
    state: "pending",
    attempts: 2,
    status: null,
    error: "no response within 10 s",
  },
  delivered(hook_id, "d_1", 7200),
];

const NONE = {
  region: null,
  host: null,
  port: null,
  security: null,
  user: null,
  sender: null,
  recipients: null,
};

export const destinations = (): Destination[] => [
  {
    id: "k_mail",
    name: "database team",
    service: "email",
    link_id: null,
    link_name: null,
    target: "2 recipients by mail.example.net",
    settings: {
      ...NONE,
      host: "mail.example.net",
      port: 587,
      security: "starttls",
      user: "hawser",
      sender: "hawser@example.net",
      recipients: ["anna@example.net", "ben@example.net"],
    },
    kinds: [],
    min_severity: "warning",
    enabled: true,
    created_at: ago(86_400 * 9),
    last_delivery: destinationDeliveries("k_mail")[0] ?? null,
  },
  {
    id: "k_pager",
    name: "on call",
    service: "pagerduty",
    link_id: "l_orders",
    link_name: "orders",
    target: "events.eu.pagerduty.com",
    settings: { ...NONE, region: "eu" },
    kinds: ["link.", "node."],
    min_severity: "blocker",
    enabled: false,
    created_at: ago(86_400 * 9),
    last_delivery: null,
  },
];
