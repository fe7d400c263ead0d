"""The sentence of a link: what failed, what still works, and what the standby side lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backend.core.facts.channel_ends import hindrance, may_be_carried
from backend.core.facts.judged_settings import KEEPING_WRITES, refusing_settings
from backend.core.facts.proven_stream import unproven_finding
from backend.core.facts.state_uuid import is_another_history
from backend.core.facts.unsettled import unsettled_trouble
from backend.core.findings import Severity
from backend.core.link_facts import Divergence, LinkFacts
from backend.core.link_state.channels import ChannelState, DirectionView, reach_phrase
from backend.core.link_state.clusters import is_lost, is_serving, is_unseen, takes_writes
from backend.core.link_state.missing import Missing
from backend.core.link_state.returned_side import writing_nodes
from backend.core.link_state.semi_sync import commits_that_wait
from backend.core.link_state.site_readiness import is_rebuilt
from backend.core.link_state.split_sites import followed_half, split_sentences
from backend.core.link_state.standby_fence import open_nodes, takes_writes_on_standby
from backend.core.plural import listed, pick, pluralize
from backend.core.topology import ClusterFacts, Direction, NodeFacts

_IN_SYNC = "is in sync"


def link_sentence(
    link: LinkFacts,
    directions: Sequence[DirectionView],
    last_ok_s: Mapping[Direction, float],
    missing: Missing,
    now_s: float,
) -> str:
    """For instance `db-a1 is down. Milan is still writable. Frankfurt has received no data for 14 s.`"""
    forward = directions[0]
    if link.divergence is not None:
        return _after_failover(link, link.divergence, now_s)
    trouble = _trouble(link, directions)
    writes = _writes(link.active, still=bool(trouble))
    if is_unseen(link.standby) or (forward.channel is None and may_be_carried(link, forward.direction)):
        follows = f"What {link.standby.name} has received is unknown"
    elif (half := followed_half(link, forward)) is not None:
        follows = (
            f"{link.standby.name} receives only what {_list(half.names)} {pick(len(half.names), 'commits', 'commit')}"
        )
    else:
        is_bound = not any(is_serving(node) for node in link.active.nodes)
        follows = _follows(link.standby.name, forward, last_ok_s, missing, now_s, is_bound=is_bound)
        if follows.endswith(_IN_SYNC) and _may_lack_its_own(link, directions):
            follows = f"It is not proven that {link.standby.name} holds the same"
        elif follows.endswith(_IN_SYNC) and unproven_finding(link) is not None:
            follows = f"{link.standby.name} has applied all that it received"
        elif follows.endswith(_IN_SYNC) and (setting_trouble(link, directions) or unsettled_trouble(link)):
            follows = f"{link.standby.name} has applied all that it received, and may lack rows"
    return " ".join([*trouble, f"{writes}. {follows}."])


def _may_lack_its_own(link: LinkFacts, directions: Sequence[DirectionView]) -> bool:
    """Whether a side may have come back empty or older: all is applied then, too, and the sides differ."""
    is_new = any(map(is_another_history, (link.active, link.standby)))
    return is_new or any(view.channel is not None and view.channel.continuity is not None for view in directions)


def _after_failover(link: LinkFacts, divergence: Divergence, now_s: float) -> str:
    """For instance `Frankfurt has been the only active side for 3 min after the loss of Milan. [...]`"""
    lost = link.standby if link.standby.id == divergence.lost_cluster_id else link.active
    active = link.active if lost is link.standby else link.standby
    since = duration(now_s - divergence.at_s)
    is_writable = takes_writes(active)
    start = f"{active.name} has been the {'only ' if is_writable else ''}active side for {since}"
    end = "" if is_writable else ", but it is not writable"
    return f"{start} after the loss of {lost.name}{end}. {_lost_now(link, lost, active)}"


def _lost_now(link: LinkFacts, lost: ClusterFacts, active: ClusterFacts) -> str:
    if not any(is_serving(node) for node in lost.nodes):
        return f"{lost.name} has not returned yet."
    if is_rebuilt(link):
        return f"{lost.name} was rebuilt and must be attached."
    if writing_nodes(link):
        return f"{lost.name} is reachable again, still writable: fence it. {active.name} receives none of its writes."
    return f"{lost.name} is reachable again and must be reprotected."


def _trouble(link: LinkFacts, directions: Sequence[DirectionView]) -> list[str]:
    for cluster in (link.active, link.standby):
        if is_lost(cluster):
            return [f"All nodes of {cluster.name} are down."]
        if is_unseen(cluster):
            return [f"No node of {cluster.name} is reachable from the console."]
    split = split_sentences(link)
    if split:
        return split
    strays = [link.node(s.replica_node_id).node.name for d in directions for s in d.strays]
    if strays:
        return [f"{_list(strays)}: {pick(len(strays), 'stray channel', 'stray channels')} found."]
    ends = set(_ends(directions))
    lost_ends = [node for node in link.nodes if node.node.id in ends and not is_serving(node)]
    lost = lost_ends or [node for node in link.nodes if not is_serving(node)]
    if lost:
        return [f"{_say(node)}." for node in lost[:2]]
    rebootstrapped = [
        f"{side.name} was bootstrapped again." for side in (link.active, link.standby) if is_another_history(side)
    ]
    trouble = rebootstrapped or _channel_trouble(link, directions)
    trouble = trouble or list(filter(None, (unsettled_trouble(link), setting_trouble(link, directions))))[:1]
    trouble = trouble or _open_standby(link) or [f"{why}." for why in commits_that_wait(link)]
    unproven = unproven_finding(link)
    return trouble or ([] if unproven is None else [str(unproven.facts["sentence"])])


def setting_trouble(link: LinkFacts, directions: Sequence[DirectionView]) -> str | None:
    """The first setting with which rows may be left out, or applied differently, unseen.

    At the ends of a channel any such setting counts, and one that the node does not tell; on the other nodes those with
    which their own clients' writes stay there.
    """
    ends = dict.fromkeys(_ends(directions))
    of_ends = [finding for node in map(link.node, ends) if node.is_up for finding in refusing_settings(node)]
    elsewhere = [node for node in link.nodes if node.is_up and node.node.id not in ends]
    kept = [finding for node in elsewhere for finding in refusing_settings(node, KEEPING_WRITES)]
    for finding in sorted((*of_ends, *kept), key=lambda one: one.severity is Severity.UNKNOWN):
        name, variable = finding.facts["node"], finding.facts["variable"]
        is_known = finding.severity is not Severity.UNKNOWN
        return f"{name} has {variable}={finding.facts['value']}." if is_known else f"{name} does not tell {variable}."
    return None


def _ends(directions: Sequence[DirectionView]) -> Iterator[str]:
    """The ids of the nodes that hold the current channels, and of their sources."""
    for channel in (view.channel for view in directions if view.channel is not None):
        yield from (channel.source_node_id, channel.replica_node_id)


def _open_standby(link: LinkFacts) -> list[str]:
    if not takes_writes_on_standby(link):
        return []
    names = [node.node.name for node in open_nodes(link.standby)]
    return [f"{_list(names)} of the standby side {pick(len(names), 'accepts', 'accept')} writes."]


def _channel_trouble(link: LinkFacts, directions: Sequence[DirectionView]) -> list[str]:
    """The first channel that does not run although all nodes serve, or of which it is unknown where it leads."""
    for view in directions:
        foreign = () if view.channel is not None else may_be_carried(link, view.direction)
        if foreign:
            node = foreign[0].replica.node.name
            return [f"{node} reads from {foreign[0].address}, which is no registered address."]
        if view.channel is None:
            return [f"There is no {view.direction.value} channel."]
        if view.channel.continuity is not None:
            return [f"It is not proven that the {view.direction.value} channel continues without a gap."]
        if view.channel.state is ChannelState.UNKNOWN:
            return [f"The state of the {view.direction.value} channel is unknown."]
        if view.channel.state is ChannelState.STOPPED:
            return [f"The {view.direction.value} channel is stopped."]
        if view.channel.state is not ChannelState.RUNNING:
            return [f"The {view.direction.value} channel is broken."]
    hindered = hindrance(link)
    return [hindered] if hindered is not None else []


def _say(node: NodeFacts) -> str:
    if not node.is_up:
        return f"{node.node.name} {reach_phrase(node.reach)}"
    if (node.variable("wsrep_on") or "").upper() == "OFF":
        return f"{node.node.name} has wsrep_on=OFF"
    if node.wsrep is None or node.wsrep.cluster_status != "Primary":
        return f"{node.node.name} is non-Primary"
    return f"{node.node.name} is {node.wsrep.state}, not Synced"


def _list(names: Sequence[str]) -> str:
    return listed(sorted(set(names)))


def _writes(active: ClusterFacts, *, still: bool) -> str:
    if is_unseen(active):
        return f"It is unknown whether {active.name} is writable"
    if takes_writes(active):
        return f"{active.name} is {'still ' if still else ''}writable"
    return f"{active.name} is not writable"


def _follows(
    name: str,
    forward: DirectionView,
    last_ok_s: Mapping[Direction, float],
    missing: Missing,
    now_s: float,
    *,
    is_bound: bool,
) -> str:
    view = forward.channel
    if view is not None and view.continuity is not None:
        return f"It is unknown what {name} lacks"
    if view is not None and view.state is ChannelState.RUNNING:
        return f"{name} {_distance(missing.transactions, view.lag_s)}"
    since = last_ok_s.get(Direction.FORWARD)
    if view is not None and view.state is ChannelState.UNKNOWN:
        return f"It is unknown whether {name} receives data"
    if since is None:
        return f"{name} receives no data"
    return f"{name} has received no data for {duration(now_s - since)}{_waiting(missing, is_bound=is_bound)}"


def _waiting(missing: Missing, *, is_bound: bool) -> str:
    """A side of which nothing is read any more may have written more: then it is as many as were read."""
    count = missing.at_least if missing.transactions is None else missing.transactions
    if not count:
        return ""
    at_least = "at least " if is_bound or missing.transactions is None else ""
    return f"; {at_least}{pluralize(count, 'transaction')} {pick(count, 'is', 'are')} pending"


def _distance(gap: int | None, lag_s: int | None) -> str:
    if gap is not None:
        if gap == 0:
            return _IN_SYNC
        return f"is {pluralize(gap, 'transaction')} behind"
    if not lag_s:  # a server reports 0 before it has read anything, too
        return "is replicating; how far it is behind is unknown"
    return f"is {lag_s} s behind"


def duration(seconds: float) -> str:
    """`14 s`, `3 min`, `2 h`, `5 d`."""
    whole = max(0, int(seconds))
    for limit, size, unit in ((120, 1, "s"), (7200, 60, "min"), (172_800, 3600, "h")):
        if whole < limit:
            return f"{whole // size} {unit}"
    return f"{whole // 86_400} d"


def link_detail(link: LinkFacts, directions: Sequence[DirectionView]) -> str:
    """Why a channel does not run; where both run, how many nodes are Synced."""
    reasons = [
        f"{d.direction.value.capitalize()}: {d.channel.reason}."
        for d in directions
        if d.channel is not None and d.channel.reason
    ]
    if reasons:
        return " ".join(reasons)
    up = sum(is_serving(node) for node in link.nodes)
    return f"{up} of {len(link.nodes)} nodes are Synced."
