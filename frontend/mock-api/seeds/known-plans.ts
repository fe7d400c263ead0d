/** Plans that exist from the start, by an id that says their state. */
import type { Plan } from "@/api/types";
import { runOperation } from "../run-operation";
import { makePlan } from "./plans";

const REASON = "INC-4211: db-a1 lost its disk";
const ready = (id: string): Plan => makePlan(id, REASON, {});

/** A switchover that an operator has attested. */
export const switchover = (id: string): Plan =>
  runOperation(id, "switchover", "CHG-2210: maintenance in Milan", { attest_accounts: true });

export const knownPlans = (): Plan[] => [
  ready("p_ready"),
  makePlan("p_refused", REASON, { source_node: "n_a3" }),
  { ...ready("p_expired"), state: "expired", expires_in_s: -60 },
  { ...ready("p_used"), state: "used" },
  switchover("p_switchover"),
  { ...switchover("p_waiting"), state: "used" },
  { ...ready("p_exception"), state: "used" },
];
