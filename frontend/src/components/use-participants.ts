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
 * The participants of a plan or a run. A plan that changes roles names both sides itself, so that a
 * run which has swapped them keeps its heading; other kinds use the link's current roles.
 */
export function useParticipants(operation: OperationTarget, node: string | null): Participants {
  const { active_name: to, standby_name: from } = operation.target;
  const named = to !== undefined && from !== undefined;
  const { data } = useQuery({ ...linkQuery(operation.link_id), enabled: !named });
  if (named) return { link: operation.link_name, from, to, node };
  const known = kindOf(operation.kind);
  if (!data || !known) return { link: operation.link_name, from: null, to: null, node };
  return { ...participantsOf(known, rolesOf(data), node), link: operation.link_name };
}
