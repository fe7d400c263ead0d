"""Says of each side whether it holds a transaction, and by which evidence.

Only a log that holds it proves that it was applied, and only logs that were read far enough prove that it was not: now,
or as the channel passed it (`core.stream_account`). A channel that executed past it is no proof: its position may have
been set by hand.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from backend.core.link_facts import LinkFacts
from backend.core.link_state.channels import ChannelView, view_direction
from backend.core.lookup.model import NodeAnswer
from backend.core.lookup.transactions import FoundTransaction, Location
from backend.core.plural import pick
from backend.core.positions import FilePosition, NotComparableError
from backend.core.stream_account import Fault
from backend.core.topology import ClusterFacts, Direction

SYNCED = 4


class Presence(StrEnum):
    """Whether a side holds the transaction."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class SideEvidence:
    """What one family says; `agrees` is None where it says nothing."""

    family: str
    agrees: bool | None
    detail: str


@dataclass(frozen=True, slots=True)
class Side:
    """One cluster's answer; `is_origin`: the transaction was written there."""

    cluster_id: str
    is_origin: bool
    held: Presence
    detail: str
    evidence: tuple[SideEvidence, ...] = ()


def sides_of(
    link: LinkFacts,
    found: FoundTransaction,
    answers: Sequence[NodeAnswer],
    slack_s: int,
    rivals: Collection[str] = (),
) -> tuple[Side, ...]:
    """Both sides, the active one first; on the nodes `rivals` stands one that is equal and may be this one."""
    return tuple(_side(link, cluster, found, answers, slack_s, rivals) for cluster in (link.active, link.standby))


def _side(
    link: LinkFacts,
    cluster: ClusterFacts,
    found: FoundTransaction,
    answers: Sequence[NodeAnswer],
    slack_s: int,
    rivals: Collection[str],
) -> Side:
    is_origin = found.seen.group.server_id in cluster.server_ids
    locations = found.on_cluster(cluster.id)
    lacked = _lacked(link, cluster, found)
    evidence = [
        *_content(link, locations),
        *_numbers(found, cluster, locations),
        *_executed(link, cluster, found),
        *([] if lacked is None else [lacked]),
    ]
    read = [a for a in answers if a.cluster_id == cluster.id and _is_whole(link, a, found.seen.at_s, slack_s)]
    has_equal = bool(locations) or any(facts.node.id in rivals for facts in cluster.nodes)
    names = list(dict.fromkeys(link.node(answer.node_id).node.name for answer in read))
    held, detail = _verdict(link, cluster, locations, names, lacked, has_equal=has_equal)
    if held is Presence.UNKNOWN and any(one.family == "executed" and one.agrees for one in evidence):
        detail += " The channel executed past it, which does not prove that it was applied."
    return Side(cluster.id, is_origin, held, detail, tuple(evidence))


def _verdict(
    link: LinkFacts,
    cluster: ClusterFacts,
    locations: Sequence[Location],
    read: Sequence[str],
    lacked: SideEvidence | None,
    *,
    has_equal: bool,
) -> tuple[Presence, str]:
    certain = [link.node(location.node_id).node.name for location in locations if not location.is_ambiguous]
    if certain:
        return Presence.YES, f"{_logs_of(certain)} {pick(len(certain), 'holds', 'hold')} it."
    if has_equal:
        text = (
            f"{cluster.name} holds transactions equal to it, written in the same second; none has a number in common."
        )
        return Presence.UNKNOWN, text
    if read:
        has = pick(len(read), "does not hold it and was", "do not hold it and were")
        return Presence.NO, f"{_logs_of(read)} {has} read from before its time to the end."
    if lacked is not None:
        return Presence.NO, f"{cluster.name} lacks it, by the account of the stream. {lacked.detail}"
    return Presence.UNKNOWN, f"No binary log of {cluster.name} was read far enough to tell."


def _logs_of(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"The binary log of {names[0]}"
    return f"The binary logs of {', '.join(names[:-1])} and {names[-1]}"


def _is_whole(link: LinkFacts, answer: NodeAnswer, at_s: int, slack_s: int) -> bool:
    """Whether a node's log would show it: it was read to its end, and its node has what the cluster has."""
    wsrep = link.node(answer.node_id).wsrep
    return answer.covers(at_s, slack_s) and wsrep is not None and wsrep.local_state == SYNCED


def _content(link: LinkFacts, locations: Sequence[Location]) -> list[SideEvidence]:
    if not locations:
        return []
    at = ", ".join(f"{link.node(p.node_id).node.name} at {p.match.found.group.begin_position}" for p in locations)
    if any(not location.is_ambiguous for location in locations):
        return [SideEvidence("content", agrees=True, detail=f"Same server id, time and content on {at}.")]
    return [SideEvidence("content", agrees=None, detail=f"Several equal transactions of that second are on {at}.")]


def _numbers(found: FoundTransaction, cluster: ClusterFacts, locations: Sequence[Location]) -> list[SideEvidence]:
    """The GTID, where logs of both sides hold the transaction."""
    own = {location.match.found.group.gtid for location in locations}
    other = {location.match.found.group.gtid for location in found.locations if location.cluster_id != cluster.id}
    if not own or not other:
        return []
    common = sorted(str(gtid) for gtid in own & other if gtid is not None)
    if common:
        return [SideEvidence("gtid", agrees=True, detail=f"Both sides have it as GTID {', '.join(common)}.")]
    return [SideEvidence("gtid", agrees=None, detail="The sides number it differently, as without wsrep_gtid_mode.")]


def _lacked(link: LinkFacts, cluster: ClusterFacts, found: FoundTransaction) -> SideEvidence | None:
    """What the account of a stream says of this transaction, where by it the cluster lacks it."""
    for recorded in link.recorded:
        of_source = link.source_cluster(recorded.direction) is cluster
        for one in recorded.account.unaccounted:
            location = found.on_node(one.node_id)
            if location is None or str(location.match.found.group.begin_position) != one.begins:
                continue
            if (one.fault is Fault.EXTRA) is of_source:
                reader = recorded.source_node_id if of_source else recorded.replica_node_id
                passed = "" if of_source else f"The {recorded.direction} channel passed it, and the "
                without = f" whole: it lacks {', '.join(one.tables)}" if one.tables else ""
                log = f"{passed or 'The '}log of {link.node(reader).node.name} does not have it{without}."
                return SideEvidence("account", agrees=False, detail=log)
    return None


def _executed(link: LinkFacts, cluster: ClusterFacts, found: FoundTransaction) -> list[SideEvidence]:
    """The channel into this cluster, where its source's own log holds the transaction."""
    direction = Direction.FORWARD if link.receiving_cluster(Direction.FORWARD) is cluster else Direction.REVERSE
    view = view_direction(link, direction).channel
    location = found.on_node(view.source_node_id) if view is not None else None
    if view is None or location is None or found.seen.group.server_id in cluster.server_ids:
        return []
    executed = view.channel.exec_position
    if executed is None or view.recorded:
        return []
    return [_compared(link, view, location, executed)]


def _compared(link: LinkFacts, view: ChannelView, location: Location, executed: FilePosition) -> SideEvidence:
    group, replica = location.match.found.group, link.node(view.replica_node_id).node.name
    source = link.node(view.source_node_id).node.name
    if group.server_id in view.channel.ignore_server_ids:
        return SideEvidence(
            "executed", agrees=None, detail=f"The channel on {replica} ignores server id {group.server_id}."
        )
    try:
        is_past, is_before = group.end_position <= executed, executed <= group.begin_position
    except NotComparableError:
        return SideEvidence(
            "executed", agrees=None, detail=f"The channel's position {executed} is not of the log of {source}."
        )
    if is_past:
        return SideEvidence(
            "executed", agrees=True, detail=f"The channel on {replica} executed {source}'s log up to {executed}."
        )
    still = "has not reached it" if is_before else "is in the middle of it"
    return SideEvidence(
        "executed", agrees=False, detail=f"The channel on {replica} {still}: it executed up to {executed}."
    )
