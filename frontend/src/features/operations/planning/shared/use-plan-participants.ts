import type { Plan } from "@/api/types";
import { useParticipants } from "@/components/use-participants";

/** The sides and the node that a plan is about. */
export const usePlanParticipants = (plan: Plan) =>
  useParticipants(plan, plan.situation.lost[0] ?? null);
