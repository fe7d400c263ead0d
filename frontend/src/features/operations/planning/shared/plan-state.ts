import { useCallback, useSyncExternalStore } from "react";
import type { Plan } from "@/api/types";
import { serverNow } from "@/lib/server-clock";
import { subscribeToTicks } from "@/lib/ticker";

/** The state of a plan at a moment of the server's clock: as the server said, or expired since then. */
export function planState(plan: Plan, nowMs: number): Plan["state"] {
  return plan.state === "ready" && Date.parse(plan.expires_at) <= nowMs ? "expired" : plan.state;
}

/** The state of a plan now. Only a change of the state renders again, not every tick of the clock. */
export function usePlanState(plan: Plan): Plan["state"] {
  const subscribe = useCallback((listener: () => void) => subscribeToTicks(1000, listener), []);
  return useSyncExternalStore(subscribe, () => planState(plan, serverNow()));
}
