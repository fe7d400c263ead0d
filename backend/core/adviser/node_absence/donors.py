"""Which members could be a node's donor, and what speaks for and against each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from backend.core.adviser.node_absence.cache import cache_of
from backend.core.adviser.node_absence.forecast import holds
from backend.core.estimates import Unknown
from backend.core.topology import NodeFacts

SYNCED = 4
QUIET_SHARE = 0.01
"""A member that replicates less than this part of the write-sets is no writer."""
_Reason = tuple[bool | None, str]
"""Whether it speaks for the donor; None where it is unknown, which speaks against it."""


@dataclass(frozen=True, slots=True)
class Context:
    """What is known beside the facts: nodes that carry a channel of a link, and each node's part of the writes."""

    link_nodes: Collection[str] = ()
    own_share: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Donor:
    """One other node. `is_possible`: the provider would accept it; `is_advised`: it is the one to name.

    `unknown`: those of the reasons against it that are facts not read.
    """

    node: NodeFacts
    is_possible: bool
    reasons_for: tuple[str, ...]
    reasons_against: tuple[str, ...]
    is_advised: bool = False
    unknown: tuple[str, ...] = ()


def donors_for(
    joiner: NodeFacts, nodes: Sequence[NodeFacts], context: Context, last_seqno: int | Unknown
) -> tuple[Donor, ...]:
    """Every other node of the cluster, the advised one first and impossible ones last.

    Named in `wsrep_sst_donor` of the joiner, a donor is preferred; a comma after the name allows the others, too.
    """
    found = [_judged(joiner, node, context, last_seqno) for node in nodes if node.node.id != joiner.node.id]
    found.sort(key=lambda donor: (not donor.is_possible, len(donor.reasons_against), donor.node.node.name))
    if found and found[0].is_possible:
        found[0] = replace(found[0], is_advised=True)
    return tuple(found)


def _judged(joiner: NodeFacts, node: NodeFacts, context: Context, last_seqno: int | Unknown) -> Donor:
    impossible = _impossible(node)
    if impossible:
        return Donor(node, is_possible=False, reasons_for=(), reasons_against=(impossible,))
    reasons = [*_segment(joiner, node), *_channel(node, context), *_writes(node, context), *_cached(node, last_seqno)]
    return Donor(
        node,
        is_possible=True,
        reasons_for=tuple(text for is_for, text in reasons if is_for),
        reasons_against=tuple(text for is_for, text in reasons if not is_for),
        unknown=tuple(text for is_for, text in reasons if is_for is None),
    )


def _impossible(node: NodeFacts) -> str | None:
    """Only a Synced member of the Primary Component gives a state transfer."""
    wsrep = node.wsrep
    if not node.is_up or wsrep is None:
        return "It cannot be read now."
    if wsrep.cluster_status != "Primary":
        return f"It is not in the Primary Component (wsrep_cluster_status={wsrep.cluster_status})."
    if wsrep.local_state != SYNCED:
        return f"It is not Synced but {wsrep.state or 'in an unknown state'}."
    return None


def segment_of(node: NodeFacts) -> str | None:
    """`gmcast.segment`: nodes of one number are near to each other; None where it was not read."""
    return node.variable("gmcast.segment")


def _segment(joiner: NodeFacts, node: NodeFacts) -> Iterator[_Reason]:
    own, donors = segment_of(joiner), segment_of(node)
    if own is None or donors is None:
        yield None, "Whether it is in the same segment is unknown: gmcast.segment was not read of both nodes."
    elif own == donors:
        yield True, f"It is in the same segment ({donors})."
    else:
        yield False, f"It is in another segment ({donors}; the node is in {own}): the transfer crosses the line."


def _channel(node: NodeFacts, context: Context) -> Iterator[_Reason]:
    if node.node.id in context.link_nodes:
        yield False, "It holds a channel of a link, which falls behind while it is a donor."
    else:
        yield True, "It holds no channel of a link."


def _writes(node: NodeFacts, context: Context) -> Iterator[_Reason]:
    share = context.own_share.get(node.node.id)
    if share is None:
        yield None, "How much is written on it is unknown: its write-sets were not counted for a minute."
    elif share < QUIET_SHARE:
        yield True, "Next to nothing is written on it (less than 1 % of the last hour's bytes)."
    else:
        yield False, f"It is a writer: {share:.0%} of the last hour's bytes are its own."


def _cached(node: NodeFacts, last_seqno: int | Unknown) -> Iterator[_Reason]:
    if isinstance(last_seqno, Unknown):
        return
    held = holds(cache_of(node), last_seqno)
    if isinstance(held, Unknown):
        yield None, "Whether its gcache still holds what the node is missing is unknown."
    elif held:
        yield True, "Its gcache still holds what the node is missing: an IST is enough."
    else:
        yield False, "Its gcache no longer holds what the node is missing: it would send an SST."
