/** What the tour says at each of its steps, and the page it leads to. */
import type { LinkDetail } from "@/api/types";
import { firstStepLink, type StepLink } from "@/components/workflow/step-link";
import type { TourStep } from "@/domain/tour";

interface StepText {
  title: string;
  text: string;
  /** The page of the step and what its link is called. */
  page: StepLink;
  words: string;
}

/** The node that holds the channels on the active side. */
const holderOf = (link: LinkDetail): string =>
  link.channels.find(({ direction, stray }) => direction === "forward" && !stray)?.source_name ??
  "the node with both channels";

const TEXTS: Record<TourStep, (link: LinkDetail) => StepText> = {
  picture: (link) => ({
    title: "The link",
    text: `Two Galera clusters replicate to each other over two channels. Both are on one pair of nodes: ${holderOf(link)} on the active side.`,
    page: { to: "/links/$linkId", params: { linkId: link.id } },
    words: "Show the link",
  }),
  failure: (link) => ({
    title: "Lose a node",
    text: `In the lab, kill ${holderOf(link)}. Its process ends as in a crash, and both channels break.`,
    page: { to: "/lab" },
    words: "Go to the lab",
  }),
  relocate: (link) => ({
    title: "Relocate the link",
    text: "Hawser suggests nodes that still work. Read the situation, choose the target, and press Check. Nothing is changed yet.",
    page: firstStepLink("situation", link.id, "relocate"),
    words: "Start the relocate",
  }),
  proof: () => ({
    title: "Read the proof and run the plan",
    text: "The checks show what was found. View the proof: the last transaction that arrived stands beside the one that follows. Then view the plan, go to the confirmation and start the run.",
    page: { to: "/links" },
    words: "",
  }),
  result: () => ({
    title: "See the result",
    text: "Each statement and its answer is on the page of the run. Once it has ended, view the result: the probes arrived and the transactions around the position are equal.",
    page: { to: "/runs" },
    words: "Show all runs",
  }),
  history: (link) => ({
    title: "It is recorded",
    text: `The history keeps this switch with its plan and its proof. Start ${holderOf(link)} or any other node again in the lab when you like.`,
    page: { to: "/history" },
    words: "Show the history",
  }),
};

export const tourText = (step: TourStep, link: LinkDetail): StepText => TEXTS[step](link);
