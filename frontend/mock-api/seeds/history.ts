/** The history as the server tells it, newest first. */
import type { Switch, TimelineEntry } from "@/api/types";
import { ago } from "./clusters";
import { COUNTED, LOSS_UNKNOWN, NOTHING_LOST } from "./losses";

const DAY = 86_400;

function relocated(id: string, daysAgo: number, over: Partial<Switch> = {}): Switch {
  const sentences = {
    who_and_what: "operator-1, approved by ben, moved the channels of payments.",
    from_to:
      "Forward channel from db-a1 → db-b1 to db-a2 → db-b1; reverse channel from db-b1 → db-a1 (as recorded; its node did not respond) to db-b1 → db-a2 (running).",
    position:
      "Forward resumed at mariadb-bin.000014:4704 (GTID 0-11-12) of db-a2; reverse resumed at mariadb-bin.000007:4244 (GTID 0-22-11) of db-b1.",
    why: "Reason: “INC-4211: db-a1 lost its disk”.",
    outcome: "Succeeded after 9.40 s, verified.",
    loss: "Nothing lost, verified.",
    ...over.sentences,
  };
  return {
    id,
    link_id: "l_payments",
    link_name: "payments",
    kind: "relocate",
    state: "succeeded",
    sentence: Object.values(sentences).join(" "),
    requested_by: "operator-1",
    approvers: ["ben"],
    is_exception: false,
    reason: "INC-4211: db-a1 lost its disk",
    created_at: ago(DAY * daysAgo),
    started_at: ago(DAY * daysAgo - 1),
    ended_at: ago(DAY * daysAgo - 9),
    duration_s: 9.4,
    recovery_s: 9.4,
    write_pause_s: null,
    is_verified: true,
    loss: NOTHING_LOST,
    active_before: "milan",
    active_planned: "milan",
    positions: [],
    topology: [
      { subject: "active side", before: "milan", after: "milan", change: "same" },
      { subject: "standby side", before: "frankfurt", after: "frankfurt", change: "same" },
      {
        subject: "forward channel",
        before: "db-a1 → db-b1 (running)",
        after: "db-a2 → db-b1 (running)",
        change: "changed",
      },
      {
        subject: "reverse channel",
        before: "db-b1 → db-a1 (as recorded; its node did not respond)",
        after: "db-b1 → db-a2 (running)",
        change: "changed",
      },
    ],
    topology_text: [
      "  active side: milan",
      "  standby side: frankfurt",
      "- forward channel: db-a1 → db-b1 (running)",
      "+ forward channel: db-a2 → db-b1 (running)",
    ].join("\n"),
    ...over,
    ...{ sentences },
  };
}

const failedOver = () =>
  relocated("r_past_2", 19, {
    kind: "failover",
    is_exception: true,
    sentences: {
      who_and_what:
        "operator-2, without a second person, let through by break-glass deploy, not reviewed yet, failed ledger over from milan to frankfurt.",
      from_to:
        "Active side from milan to frankfurt; standby side from frankfurt to milan; forward channel removed: db-a1 → db-b1 (running); reverse channel unknown.",
      position: "Forward applied up to mariadb-bin.000007:4734 (GTID 0-11-12) of db-a1.",
      why: "No reason was given.",
      outcome: "Succeeded after 2 min 4 s, verified only in part.",
      loss: `${COUNTED.sentence}.`,
    },
    link_id: "l_ledger",
    link_name: "ledger",
    requested_by: "operator-2",
    duration_s: 124,
    topology: [
      { subject: "active side", before: "milan", after: "frankfurt", change: "changed" },
      { subject: "standby side", before: "frankfurt", after: "milan", change: "changed" },
      {
        subject: "forward channel",
        before: "db-a1 → db-b1 (running)",
        after: "none",
        change: "removed",
      },
      { subject: "reverse channel", before: "unknown", after: "unknown", change: "unknown" },
    ],
    topology_text:
      "- active side: milan\n+ active side: frankfurt\n- standby side: frankfurt\n+ standby side: milan\n- forward channel: db-a1 → db-b1 (running)",
    loss: COUNTED,
  });

const failed = () =>
  relocated("r_failed", 40, {
    state: "failed",
    sentences: {
      who_and_what: "Hawser (automation) tried to move the channels of payments.",
      from_to: "Forward channel from db-a1 → db-b1 (running) to unknown → db-b1 (state unknown).",
      position: "",
      why: "Reason: “db-a1 is down”.",
      outcome: "Failed after 31.0 s: db-b1 did not respond.",
      loss: "Loss unknown: the run did not reach its verification.",
    },
    requested_by: "automation",
    loss: LOSS_UNKNOWN,
  });

export const switches = (): Switch[] => [relocated("r_past_1", 1), failedOver(), failed()];

const entry = (of: Partial<TimelineEntry> & Pick<TimelineEntry, "kind" | "id">): TimelineEntry => ({
  entry: `${of.kind}:${of.id}`,
  at: ago(0),
  sentence: "",
  state: "",
  actor: "",
  run_id: null,
  seq: null,
  ...of,
});

export const timelineEntries = (lostAt: number): TimelineEntry[] => [
  entry({
    kind: "event",
    id: "41",
    at: new Date(lostAt).toISOString(),
    sentence: "db-a1 is not responding: timed out.",
    state: "blocker",
  }),
  entry({
    kind: "rehearsal",
    id: "h_failover_1",
    at: ago(3 * 3600),
    sentence: "Hawser (schedule) rehearsed a failover: passed after 0.64 s. Every check passed.",
    state: "passed",
    actor: "schedule",
  }),
  entry({
    kind: "setting",
    id: "12",
    at: ago(DAY),
    sentence: "A link was changed: requires_approval False → True (admin-1). Reason: “policy 7”.",
    actor: "admin-1",
    seq: 12,
  }),
  ...switches()
    .filter(({ link_id }) => link_id === "l_payments")
    .map((one) =>
      entry({
        kind: "run",
        id: one.id,
        at: one.created_at,
        sentence: one.sentence,
        state: one.state,
        actor: one.requested_by,
        run_id: one.id,
      }),
    ),
];
