/** The kinds of entries of a link's time line, in the order of their filter. */
export const TIMELINE_KINDS = ["run", "event", "rehearsal", "setting"] as const;

export const TIMELINE_LABELS: Record<(typeof TIMELINE_KINDS)[number], string> = {
  run: "Runs",
  event: "Events",
  rehearsal: "Rehearsals",
  setting: "Settings",
};
