import { useQuery } from "@tanstack/react-query";
import { planQuery } from "@/api/resources/plans";
import type { Run } from "@/api/types";
import { useParticipants } from "@/components/use-participants";
import type { Participants } from "@/domain/operations";

/** The clusters and the node that a run is about; its plan names the node that the link left. */
export function useRunParticipants(run: Run): Participants {
  const plan = useQuery(planQuery(run.plan_id)).data;
  return useParticipants(run, plan?.situation.lost[0] ?? null);
}
