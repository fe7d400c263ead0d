/** The tour of the demo as a table: its steps in their order, and what the user has done once a step is over. */
import type { LinkDetail, Preferences } from "@/api/types";

export type Tour = Preferences["tour"];
export type TourStep = Exclude<Tour, "offered" | "ended">;

export const TOUR_STEPS: readonly TourStep[] = [
  "picture",
  "failure",
  "relocate",
  "proof",
  "result",
  "history",
];

interface Seen {
  pathname: string;
  link: Pick<LinkDetail, "primary_action" | "active_run">;
}

/** What ends a step without a click on Next; the others are read, and left by Next. */
const IS_DONE: Partial<Record<TourStep, (seen: Seen) => boolean>> = {
  failure: ({ link }) => link.primary_action?.kind === "relocate",
  relocate: ({ pathname }) => /\/checks$|^\/plans\//.test(pathname),
  proof: ({ pathname, link }) => pathname.startsWith("/runs/") || link.active_run !== null,
};

/** The step after one; the tour ends after the last. */
export const tourStepAfter = (step: TourStep): Tour =>
  TOUR_STEPS[TOUR_STEPS.indexOf(step) + 1] ?? "ended";

/** Whether the user has done what a step asks for. */
export const isTourStepDone = (step: TourStep, seen: Seen): boolean =>
  IS_DONE[step]?.(seen) ?? false;

export const isTourStep = (tour: Tour): tour is TourStep => tour !== "offered" && tour !== "ended";
