/** The loss of a run in each certainty, and of a plan. */
import type { Plan, Run } from "@/api/types";
import { ago } from "./clusters";

type RunLoss = Run["loss"];

export const LOSS_UNKNOWN: RunLoss = {
  state: "unknown",
  sentence: "Loss unknown: the run did not reach its verification",
  transactions: null,
  seconds: null,
  at_least: null,
  read_at: null,
  is_exact: false,
  counted_by: null,
  orphaned: null,
  replayed: null,
};

export const NOTHING_LOST: RunLoss = {
  ...LOSS_UNKNOWN,
  state: "none_verified",
  sentence: "Nothing lost, verified",
  transactions: 0,
  seconds: 0,
  at_least: 0,
  is_exact: true,
};

export const COUNTED: RunLoss = {
  ...LOSS_UNKNOWN,
  state: "counted",
  sentence:
    "At least 3 transactions of milan (read up to 2026-11-29 06:32:53 UTC) have not arrived; not yet counted exactly. When milan returns, all are counted and can be replayed",
  transactions: 3,
  seconds: 1,
  at_least: 3,
  read_at: ago(5400),
  counted_by: "logs_read",
};

/** The loss that a plan states; of a failover a lower bound. */
export const planLoss = (
  transactions: number | null,
  detail: string,
  over: Partial<Plan["loss"]> = {},
): Plan["loss"] => ({
  transactions,
  seconds: 0,
  detail,
  at_least: transactions,
  read_at: null,
  is_exact: transactions !== null,
  counted_by: null,
  ...over,
});

/** As it was read of a side that is lost now. */
export const lostSideLoss = (atLeast: number, detail: string, seconds: number): Plan["loss"] =>
  planLoss(atLeast, detail, {
    seconds,
    is_exact: false,
    read_at: ago(seconds),
    counted_by: "logs_read",
  });
