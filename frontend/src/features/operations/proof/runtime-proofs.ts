/** What a plan proves while it runs: for the acts whose proof cannot be had beforehand. */
import type { PlanStep } from "@/api/types";
import type { Participants } from "@/domain/operations";

export interface RuntimeProof {
  /** The step's number as the plan shows it. */
  step: number;
  claim: string;
  how: string;
  otherwise: string;
}

interface ProofWords {
  claim: (participants: Participants) => string;
  how: string;
}

const from = (participants: Participants) => participants.from ?? "the old side";
const next = (participants: Participants) => participants.to ?? "the new side";

const PROOFS: Record<string, ProofWords> = {
  verify_fence: {
    claim: (participants) => `No write reaches ${from(participants)} any more`,
    how: "A write on every node must fail, and the cluster's own counter stands still.",
  },
  drain: {
    claim: (participants) => `${next(participants)} has applied all it received`,
    how: "The relay log is applied to its end before the channel is stopped.",
  },
  verify_caught_up: {
    claim: () => "Each side has the last transaction of the other",
    how: "Both directions drain; the last group of each side's own binlog is found on the other, and its content compared.",
  },
  verify_no_orphans: {
    claim: (participants) =>
      `${from(participants)} holds nothing ${next(participants)} never received`,
    how: "The last group of its own binlog is found on the other side, and its content compared.",
  },
  record_divergence: {
    claim: (participants) =>
      `Where ${from(participants)} and ${next(participants)} part is recorded`,
    how: "The last transaction applied, in the lost side's own coordinates, with the content before it.",
  },
  record_state_uuid: {
    claim: () => "The new history is recorded",
    how: "Every member still shows the state UUID that the proof was about.",
  },
  unfence: {
    claim: (participants) => `${next(participants)} takes writes`,
    how: "read_only is read back OFF on every node that was opened.",
  },
  locate: {
    claim: () => "The channels resume at the exact transaction",
    how: "The position is proven after the stop, by two families of evidence, one of them content.",
  },
  locate_log_end: {
    claim: () => "The returned side's own stream resumes at its end",
    how: "The end of its binary log is read once its orphans are taken back.",
  },
  set_gtid_position: {
    claim: () => "The GTID position is the same on every node",
    how: "gtid_slave_pos is set to the source's own proven state and read back on each node.",
  },
  replay: {
    claim: (participants) => `Each orphan is on ${next(participants)} once`,
    how: "Every row is compared with what the orphan found before it is written; a marker in the same transaction counts it.",
  },
  undo_orphans: {
    claim: (participants) => `${from(participants)} is back where the histories part`,
    how: "Every row is compared with what the orphan left before it is taken back.",
  },
  probe: {
    claim: () => "Both channels carry",
    how: "A probe transaction of each side is seen on every node of the other.",
  },
  verify: {
    claim: () => "Nothing is missing or doubled around the seam",
    how: "Transactions on both sides of the seam are compared; each direction is carried once.",
  },
};

/** Behind a failover no channel carries: the same steps then show other things. */
const FAILOVER: Record<string, ProofWords> = {
  probe: {
    claim: (participants) => `Every node of ${next(participants)} takes part`,
    how: "A probe transaction written on one is seen on each of them.",
  },
  verify: {
    claim: (participants) => `Nothing carries ${from(participants)} any more`,
    how: "Every channel that can be read is read: none comes from the lost side.",
  },
};

/** The proofs of a plan's steps in their order; the same proof on several nodes is told once. */
export function runtimeProofs(
  kind: string,
  steps: readonly PlanStep[],
  participants: Participants,
): RuntimeProof[] {
  const proofs = kind === "failover" ? { ...PROOFS, ...FAILOVER } : PROOFS;
  const wall = steps.findIndex((step) => step.point_of_no_return);
  return steps.flatMap((step, index) => {
    const words = proofs[step.code];
    const told = steps.findIndex((other) => other.code === step.code) < index;
    if (!words || told) return [];
    const before = wall === -1 || index < wall;
    return [
      {
        step: index + 1,
        claim: words.claim(participants),
        how: words.how,
        otherwise: before ? "the run goes back" : "the run stops and says so",
      },
    ];
  });
}
