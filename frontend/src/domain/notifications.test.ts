import { describe, expect, it } from "vitest";
import type { StreamEvent } from "@/api/event-stream";
import { asNotificationChoice, NO_NOTIFICATIONS, notificationFor } from "./notifications";

const incident: StreamEvent = {
  type: "event.raised",
  data: { link_id: "l_1", kind: "node.lost", severity: "blocker", message: "db-a1 is down." },
};
const waiting: StreamEvent = {
  type: "run.updated",
  data: { link_id: "l_1", run_id: "r_1", state: "waiting_approval" },
};
const both = { incidents: true, approvals: true };

describe("notifications of this browser", () => {
  it.each([null, "on", { incidents: "yes" }])("test_choice__stored_%j__off", (stored) =>
    expect(asNotificationChoice(stored)).toEqual(NO_NOTIFICATIONS),
  );
  it("test_incident__chosen__in_its_own_words_and_leads_to_the_link", () =>
    expect(notificationFor(incident, both)).toMatchObject({
      body: "db-a1 is down.",
      path: "/links/l_1",
    }));
  it("test_incident__of_the_console__leads_to_all_links", () => {
    const data = { ...incident.data, link_id: "", severity: "unknown" };
    expect(notificationFor({ ...incident, data }, both)?.path).toBe("/links");
  });
  it("test_approval__chosen__leads_to_the_run", () =>
    expect(notificationFor(waiting, both)?.path).toBe("/runs/r_1"));
  it.each([
    ["not chosen", incident, { incidents: false, approvals: true }],
    ["not chosen", waiting, { incidents: true, approvals: false }],
    ["no incident", { ...incident, data: { ...incident.data, severity: "warning" } }, both],
    ["approved", { ...waiting, data: { ...waiting.data, state: "running" } }, both],
  ] as const)("test_event__%s__none", (_why, event, choice) =>
    expect(notificationFor(event, choice)).toBeNull(),
  );
});
