"""Which operations on a whole side could run now, from facts that are cheap to read; a plan checks everything again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from backend.core.facts.channel_ends import hindrance
from backend.core.facts.halves import is_split, mixed_halves
from backend.core.facts.incarnation import Incarnation, returned_side
from backend.core.facts.log_continuity import history_in_doubt
from backend.core.facts.membership import is_expelled
from backend.core.facts.state_uuid import is_another_history
from backend.core.facts.stream_accounts import lacked_by_standby
from backend.core.facts.unsettled import unsettled_trouble
from backend.core.link_facts import LinkFacts
from backend.core.link_state.channels import ChannelState, DirectionView
from backend.core.link_state.clusters import is_candidate, is_serving, is_unseen
from backend.core.link_state.missing import Missing
from backend.core.link_state.returned_side import writing_nodes
from backend.core.link_state.split_sites import split_sides
from backend.core.plural import pluralize
from backend.core.topology import ClusterFacts, NodeFacts

SWITCHOVER_ESTIMATE_S = 2.0
FAILOVER_ESTIMATE_S = 2.0
REPROTECT_ESTIMATE_S = 4.0


@dataclass(frozen=True, slots=True)
class Readiness:
    """`ready`, `blocked`, `unknown` or `not_needed`, with the reason, the estimated time and the transactions lost.

    `loss_at_least`: as many were read of the active side and would be lost, where it may have written more.
    """

    state: str
    sentence: str
    estimate_s: float | None = None
    loss_transactions: int | None = None
    loss_at_least: int | None = None


def site_readiness(link: LinkFacts, directions: Sequence[DirectionView], missing: Missing) -> dict[str, Readiness]:
    """Switchover, failover, reprotect and failback."""
    switchover = _switchover(link, directions)
    is_home = link.home_cluster_id in (None, link.active.id)
    return {
        "switchover": switchover,
        "failover": _with_lacked(link, _failover(link, directions, missing)),
        "reprotect": _reprotect(link),
        "failback": Readiness("not_needed", f"{link.active.name} is the home side.") if is_home else switchover,
    }


def split_readiness(link: LinkFacts) -> Readiness:
    """What is to be done first where a side is split, or was and is not proven to be one again."""
    if not any(map(is_split, (link.active, link.standby))):
        sentence = "nodes of several halves came together without a full copy. Copy those of all but one half first."
        return Readiness("blocked", f"{split_sides(link)}: {sentence}")
    return Readiness("blocked", f"{split_sides(link)}: several Primary Components go by one name. Make them one first.")


def doubt_readiness(link: LinkFacts, sides: Sequence[ClusterFacts]) -> Readiness | None:
    """Why a new history is not accepted yet, None where nothing is against it."""
    names = [side.name for side in sides if history_in_doubt(link, side)]
    return (
        Readiness("blocked", f"It is not shown that the log of {' and '.join(names)} continues the one before.")
        if names
        else None
    )


def new_history_readiness(link: LinkFacts) -> Readiness | None:
    """What is to be done first where a side was bootstrapped again."""
    sides = [side for side in (link.active, link.standby) if is_another_history(side)]
    if not sides:
        return None
    names = " and ".join(side.name for side in sides)
    return doubt_readiness(link, sides) or Readiness("blocked", f"Accept the new state UUID of {names} first.")


def _switchover(link: LinkFacts, directions: Sequence[DirectionView]) -> Readiness:
    if link.divergence is not None:
        return Readiness("blocked", "Reprotect the lost side first.")
    for cluster in (link.active, link.standby):
        if is_unseen(cluster):
            return Readiness("unknown", f"No node of {cluster.name} is reachable from the console.")
    if split_sides(link):
        return split_readiness(link)
    new_history = new_history_readiness(link)
    if new_history is not None:
        return new_history
    hindered = hindrance(link) or _unsettled(link)
    if hindered is not None:
        return Readiness("blocked", hindered)
    for view in directions:
        if view.channel is not None and view.channel.continuity is not None:
            return Readiness("blocked", f"It is not proven that the {view.direction} channel continues without a gap.")
        state = view.channel.state if view.channel else None
        if state is ChannelState.UNKNOWN:
            return Readiness("unknown", f"It is unknown whether the {view.direction} channel runs.")
        if state is not ChannelState.RUNNING:
            return Readiness("blocked", f"The {view.direction} channel is not running.")
        if view.strays:
            return Readiness("blocked", f"The {view.direction} direction has a stray channel. Remove it first.")
    sentence = f"Both channels run: {link.standby.name} can take over without loss. Writes pause for some seconds."
    return Readiness("ready", sentence, SWITCHOVER_ESTIMATE_S, 0)


def _unsettled(link: LinkFacts) -> str | None:
    trouble = unsettled_trouble(link)
    return None if trouble is None else f"{trouble} Settle that first."


def _failover(link: LinkFacts, directions: Sequence[DirectionView], missing: Missing) -> Readiness:
    """Whether the standby could be activated if the active side were lost now."""
    if link.divergence is not None:
        return Readiness("blocked", "The other side is lost already.")
    if is_unseen(link.standby):
        return Readiness("unknown", f"No node of {link.standby.name} is reachable from the console.")
    if not any(is_candidate(node) for node in link.standby.nodes):
        return Readiness("blocked", f"{link.standby.name} has no Synced node.")
    if is_split(link.standby) or mixed_halves(link.standby):
        return split_readiness(link)
    silent = [node.node.name for node in link.standby.nodes if _may_hold_unread_channel(link.standby, node)]
    if silent:
        return Readiness("unknown", f"The relay log that {' and '.join(silent)} still must apply is unknown.")
    gap, at_least = missing.transactions, missing.at_least
    can, is_served = f"{link.standby.name} can be activated", any(is_serving(node) for node in link.active.nodes)
    if any(view.channel is not None and view.channel.continuity is not None for view in directions[:1]):
        sentence = f"{can}; it is not proven that it holds what {link.active.name} committed: the loss is unknown."
        return Readiness("unknown", sentence, FAILOVER_ESTIMATE_S)
    if gap is None or is_split(link.active):
        losing = (
            f"at least {pluralize(at_least, 'transaction')} would be lost, how many more"
            if at_least
            else (
                f"everything that was read of {link.active.name} has arrived; how many later transactions would be lost"
                if at_least == 0
                else "the number of transactions lost"
            )
        )
        return Readiness("unknown", f"{can}; {losing} is unknown.", FAILOVER_ESTIMATE_S, loss_at_least=at_least)
    bound = "" if is_served else "at least "
    losing = "no known data loss" if gap == 0 else f"{bound}{pluralize(gap, 'transaction')} would be lost"
    return Readiness("ready", f"{can}; {losing}.", FAILOVER_ESTIMATE_S, gap, gap)


def _with_lacked(link: LinkFacts, found: Readiness) -> Readiness:
    """The loss counts what is on the way; what a channel left out never comes."""
    lacked = lacked_by_standby(link)
    if not lacked or found.estimate_s is None:
        return found
    loss = None if found.loss_transactions is None else found.loss_transactions + lacked
    lacks = f"lacks {pluralize(lacked, 'transaction')} that never came"
    if found.loss_transactions == 0:
        sentence = f"{link.standby.name} can be activated; it {lacks}."
    else:
        sentence = f"{found.sentence} Besides, {link.standby.name} {lacks}."
    return replace(found, sentence=sentence, loss_transactions=loss, loss_at_least=(found.loss_at_least or 0) + lacked)


def _may_hold_unread_channel(cluster: ClusterFacts, node: NodeFacts) -> bool:
    """Whether that node's channels were not read while its cluster still counts it: a failover is refused then."""
    return node.channels is None if node.is_up else not is_expelled(cluster, node)


def _reprotect(link: LinkFacts) -> Readiness:
    divergence = link.divergence
    if divergence is None:
        return Readiness("not_needed", "No side was lost.")
    lost = _lost(link, divergence.lost_cluster_id)
    if not any(is_serving(node) for node in lost.nodes):
        return Readiness("blocked", f"{lost.name} has not returned yet.")
    hindered = hindrance(link)
    if hindered is not None:
        return Readiness("blocked", hindered)
    if is_rebuilt(link):
        sentence = f"{lost.name} was rebuilt. It is attached at the position of its backup."
    elif writing_nodes(link):
        sentence = f"{lost.name} is reachable again and still writable. Fence it first."
    elif divergence.orphaned is None:
        sentence = f"{lost.name} is reachable again. Scan it for orphaned transactions first."
    elif divergence.orphaned == 0:
        sentence = f"{lost.name} is reachable again, without orphaned transactions."
    else:
        found = pluralize(divergence.orphaned, "orphaned transaction")
        sentence = f"{lost.name} is reachable again, with {found}: choose to replay, undo or rebuild."
    return Readiness("ready", sentence, REPROTECT_ESTIMATE_S, 0)


def is_rebuilt(link: LinkFacts) -> bool:
    """Whether the lost side returned as a copy of the survivor."""
    back = returned_side(link)
    return back is not None and back.kind is Incarnation.REBUILT


SiteAction = tuple[str, str, tuple[tuple[str, str], ...]]


def site_action(link: LinkFacts) -> SiteAction | None:
    """Kind, label and options of the action that a lost or returned side requires; None where there is no such side."""
    divergence = link.divergence
    if divergence is not None:
        lost = _lost(link, divergence.lost_cluster_id)
        is_back = any(is_serving(node) for node in lost.nodes)
        if is_back and is_rebuilt(link):
            return "reprotect", f"Attach the rebuilt {lost.name}", (("orphans", "rebuild"),)
        if is_back and writing_nodes(link):
            return "reprotect", f"Fence {lost.name}", (("orphans", "fence"),)
        return ("reprotect", f"Reprotect {lost.name}", ()) if is_back else None
    if any(is_serving(node) for node in link.active.nodes):
        return None
    if any(is_candidate(node) for node in link.standby.nodes):
        return "failover", f"Fail over to {link.standby.name}", ()
    return None


def _lost(link: LinkFacts, cluster_id: str) -> ClusterFacts:
    return link.standby if link.standby.id == cluster_id else link.active
