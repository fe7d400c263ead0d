import { describe, expect, it } from "vitest";
import type { StreamEvent } from "@/api/event-stream";
import {
  ALL_NOTIFICATIONS as ALL,
  asNotificationChoice,
  NO_NOTIFICATIONS,
  notificationFor,
} from "./notifications";

const incident: StreamEvent = {
  type: "event.raised",
  data: { link_id: "l_1", kind: "node.lost", severity: "blocker", message: "db-a1 is down." },
};
const ofRun = (kind: string, severity: string): StreamEvent => ({
  type: "event.raised",
  data: { link_id: "l_1", run_id: "r_1", kind, severity, message: "Read the run." },
});
const waiting = ofRun("run.waiting_approval", "warning");
const failed = ofRun("run.failed", "blocker");

describe("notifications of this browser", () => {
  it.each([null, "on", { incidents: "yes" }])("test_choice__stored_%j__off", (stored) =>
    expect(asNotificationChoice(stored)).toEqual(NO_NOTIFICATIONS),
  );
  it("test_choice__stored_before_failed_runs_were_one__they_follow_the_incidents", () =>
    expect(asNotificationChoice({ incidents: true }).failedRuns).toBe(true));
  it("test_incident__chosen__in_its_own_words_and_leads_to_the_link", () =>
    expect(notificationFor(incident, ALL)).toMatchObject({
      body: "db-a1 is down.",
      tag: "link l_1",
      path: "/links/l_1",
    }));
  it("test_incident__of_the_console__leads_to_all_links", () => {
    const data = { ...incident.data, link_id: "", severity: "unknown" };
    expect(notificationFor({ ...incident, data }, ALL)?.path).toBe("/links");
  });
  it.each([
    ["approval", waiting],
    ["failed_run", failed],
  ])("test_%s__chosen__leads_to_the_run", (_kind, event) =>
    expect(notificationFor(event, ALL)?.path).toBe("/runs/r_1"),
  );
  it.each([
    ["not chosen", incident, { ...ALL, incidents: false }],
    ["not chosen", waiting, { ...ALL, approvals: false }],
    ["not chosen", failed, { ...ALL, failedRuns: false }],
    ["no incident", { ...incident, data: { ...incident.data, severity: "warning" } }, ALL],
    ["approved", ofRun("run.approve", "info"), ALL],
    ["a change", { type: "run.updated", data: waiting.data }, ALL],
  ] as const)("test_event__%s__none", (_why, event, choice) =>
    expect(notificationFor(event, choice)).toBeNull(),
  );
});
