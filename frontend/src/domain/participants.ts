/** The clusters and the node that an operation is about, by the roles of the link. */
import type { ClusterRef, Link, LinkDetail } from "@/api/types";
import { replacedNodeName } from "./node-eligibility";
import { kindOf, type OperationKind, type Participants } from "./operations";

export interface RolesInput {
  name: string;
  active: ClusterRef;
  standby: ClusterRef;
  homeId: string;
}

/** The side that is active after an operation that begins now. */
function nextActiveSide(kind: OperationKind, link: RolesInput): ClusterRef {
  switch (kind) {
    case "failback":
      return link.standby.id === link.homeId ? link.standby : link.active;
    case "switchover":
    case "failover":
      return link.standby;
    default:
      return link.active;
  }
}

/** The participants of an operation that begins now, by the roles of the link. */
export function participantsOf(
  kind: OperationKind,
  link: RolesInput,
  node: string | null,
): Participants {
  const next = nextActiveSide(kind, link);
  const other = next.id === link.active.id ? link.standby : link.active;
  return { link: link.name, from: other.name, to: next.name, node };
}

/** The roles of a link, as operations need them. */
export const rolesOf = (link: Link): RolesInput => ({
  name: link.name,
  active: link.active_cluster,
  standby: link.standby_cluster,
  homeId: link.home_cluster.id,
});

/** The channels that do not run. Where there are several, each can be started alone. */
export const stoppedChannels = ({ channels }: Pick<Link, "channels">) =>
  channels.filter(({ stray, state }) => !stray && ["stopped", "broken"].includes(state));

/** The node that an operation is about; none where it is about the channels of several. */
const nodeOf = (kind: string, link: LinkDetail): string | null =>
  kind === "start_channel" && stoppedChannels(link).length > 1 ? null : replacedNodeName(link);

/** The participants of an operation on this link that begins now. */
export const currentParticipants = (kind: string, link: LinkDetail): Participants =>
  participantsOf(kindOf(kind) ?? "relocate", rolesOf(link), nodeOf(kind, link));
