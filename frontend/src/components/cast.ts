/** Who plays in an act, read from the link as it is now. */
import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import type { LinkDetail } from "@/api/types";
import { type Cast, castOf, type RolesIn } from "@/lib/kinds";
import { offNodeName } from "./candidates";

const rolesOf = (link: LinkDetail): RolesIn => ({
  name: link.name,
  active: { ...link.active_cluster, nodes: link.clusters.active.nodes },
  standby: { ...link.standby_cluster, nodes: link.clusters.standby.nodes },
  homeId: link.home_cluster.id,
});

/** The cast of an act that would begin now. */
export const castNow = (kind: string, link: LinkDetail): Cast =>
  castOf(kind, rolesOf(link), [], offNodeName(link));

interface ActOf {
  kind: string;
  link_id: string;
  link_name: string;
  steps: readonly { code: string; node: string | null }[];
}

/** The cast of a plan or a run; its names come once the link is read. */
export function useCast(act: ActOf, node: string | null): Cast {
  const { data } = useQuery(queries.link(act.link_id));
  if (!data) return { link: act.link_name, from: null, to: null, node };
  return { ...castOf(act.kind, rolesOf(data), act.steps, node), link: act.link_name };
}
