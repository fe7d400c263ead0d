/** Plans that exist from the start, by an id that says their state. */
import type { Plan } from "@/api/types";
import { runOperation } from "../run-operation";
import { planFinding } from "./derived";
import { finding } from "./links";
import { makePlan } from "./plans";
import { unclearOrigins } from "./unsound-links";

const REASON = "INC-4211: db-a1 lost its disk";
const ready = (id: string): Plan => makePlan(id, REASON, {});

/** A switchover that an operator has attested. */
export const switchover = (id: string): Plan =>
  runOperation(id, "switchover", "CHG-2210: maintenance in Milan", { attest_accounts: true });

/** A relocate that asks how transactions of a third server come to both sides. */
function originsPlan(): Plan {
  const plan = ready("p_origins");
  return {
    ...plan,
    state: "refused",
    summary: "",
    steps: [],
    findings: [...unclearOrigins().map(planFinding), ...plan.findings],
  };
}

/** A switchover that moves an event and leaves another one. */
function eventsPlan(): Plan {
  const plan = switchover("p_events");
  return {
    ...plan,
    findings: [
      finding(
        "warning",
        "events_left",
        "The event shop.rollup (now ENABLED on db-a1; SLAVESIDE_DISABLED on db-a2, db-a3, db-b1, db-b2, db-b3) runs on no node of frankfurt after the switch: the plan leaves it as it is. On milan it goes on, and writes through the fence if its definer may.",
      ),
      finding(
        "info",
        "events_switched",
        "The event shop.purge (now ENABLED on db-a1; SLAVESIDE_DISABLED on db-a2, db-a3, db-b1, db-b2, db-b3) is enabled on db-b1 once frankfurt is active, and is SLAVESIDE_DISABLED on every other node then.",
      ),
    ]
      .map(planFinding)
      .concat(plan.findings),
  };
}

/** A failover that olaf attested. */
const failover = (id: string): Plan =>
  runOperation(id, "failover", "INC-4300: milan lost power", {
    attest_fenced: ["n_a1", "n_a2", "n_a3"],
    accept_loss: true,
  });

export const knownPlans = (): Plan[] => [
  ready("p_ready"),
  makePlan("p_refused", REASON, { source_node: "n_a3" }),
  { ...ready("p_expired"), state: "expired", expires_in_s: -60 },
  { ...ready("p_used"), state: "used" },
  switchover("p_switchover"),
  runOperation("p_fence", "fence_standby", "INC-4212: db-b3 was restarted", {}),
  originsPlan(),
  eventsPlan(),
  failover("p_failover"),
  { ...switchover("p_waiting"), state: "used" },
  { ...ready("p_exception"), state: "used" },
];
