/** The participants of an operation: as its plan names them, else by the roles of the link. */
import { useQuery } from "@tanstack/react-query";
import { linkQuery } from "@/api/resources/links";
import type { Plan } from "@/api/types";
import { kindOf, type Participants } from "@/domain/operations";
import { participantsOf, rolesOf } from "@/domain/participants";

interface OperationTarget {
  kind: string;
  link_id: string;
  link_name: string;
  target: Plan["target"];
}

/**
 * The participants of a plan or a run. A plan that changes roles names both sides itself, so that a run
 * which has swapped them keeps its heading; for the others the link's own roles do.
 */
export function useParticipants(act: OperationTarget, node: string | null): Participants {
  const { active_name: to, standby_name: from } = act.target;
  const named = to !== undefined && from !== undefined;
  const { data } = useQuery({ ...linkQuery(act.link_id), enabled: !named });
  if (named) return { link: act.link_name, from, to, node };
  const known = kindOf(act.kind);
  if (!data || !known) return { link: act.link_name, from: null, to: null, node };
  return { ...participantsOf(known, rolesOf(data), node), link: act.link_name };
}
