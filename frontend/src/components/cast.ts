/** Who plays in an act: as the plan says it, or as the link stands now. */
import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import type { Link, LinkDetail, Plan } from "@/api/types";
import { type Cast, castOf, kindOf, type RolesIn } from "@/lib/kinds";
import { offNodeName } from "./candidates";

const rolesOf = (link: Link): RolesIn => ({
  name: link.name,
  active: link.active_cluster,
  standby: link.standby_cluster,
  homeId: link.home_cluster.id,
});

/** The cast of an act that would begin now. */
export const castNow = (kind: string, link: LinkDetail): Cast =>
  castOf(kindOf(kind) ?? "relocate", rolesOf(link), offNodeName(link));

interface ActOf {
  kind: string;
  link_id: string;
  link_name: string;
  target: Plan["target"];
}

/**
 * The cast of a plan or a run. A plan that changes roles names both sides itself, so that a run
 * which has swapped them keeps its heading; for the others the link's own roles do.
 */
export function useCast(act: ActOf, node: string | null): Cast {
  const { active_name: to, standby_name: from } = act.target;
  const named = to !== undefined && from !== undefined;
  const { data } = useQuery({ ...queries.link(act.link_id), enabled: !named });
  if (named) return { link: act.link_name, from, to, node };
  const known = kindOf(act.kind);
  if (!data || !known) return { link: act.link_name, from: null, to: null, node };
  return { ...castOf(known, rolesOf(data), node), link: act.link_name };
}
