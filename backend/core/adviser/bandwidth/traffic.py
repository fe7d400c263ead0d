"""What each node sends to each other one, from what is written and the segments.

A node sends a write-set once to each node of its own segment and once to each other segment: to a relay there, which
sends it on within its segment. Each sender has a relay of its own, which follows from its place among the nodes (read
in the provider's source), so it is known only where a segment has one node. Acknowledgements are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from backend.core.adviser.bandwidth.span import Span

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Member:
    """A node of the cluster, by name."""

    name: str
    segment: str


Relay = Callable[[str, Sequence[str]], str]
"""Of a sender's name and the names of another segment's nodes: the one that relays."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """Bytes of write-sets a second: of each ordered pair of nodes and of segments, and what each node sends.

    `to_unregistered` is what reaches members that are not registered, an arbitrator for example: all that is written,
    once for each. Who sends it is unknown, so it is part of the upper bounds of `outbound` alone.
    """

    pairs: Mapping[Pair, Span]
    across: Mapping[Pair, Span]
    outbound: Mapping[str, Span]
    inbound: Mapping[str, float]
    to_unregistered: float
    written: float


def flows(members: Sequence[Member], written: Mapping[str, float], relay: Relay) -> dict[Pair, float]:
    """Bytes of each ordered pair, where the relays are known."""
    found = {(one.name, other.name): 0.0 for one in members for other in members if one != other}
    for sender in members:
        rate = written[sender.name]
        for segment, names in _segments(members).items():
            if segment == sender.segment:
                via, receivers = sender.name, [name for name in names if name != sender.name]
            else:
                via = relay(sender.name, names)
                receivers = [name for name in names if name != via]
                found[sender.name, via] += rate
            for receiver in receivers:
                found[via, receiver] += rate
    return found


def traffic(members: Sequence[Member], written: Mapping[str, float], unregistered: int = 0) -> Traffic:
    """The bounds over all relays that could be; `unregistered` is the number of members that are not registered."""
    segments = _segments(members)
    everything = sum(written[member.name] for member in members)
    return Traffic(
        {
            (one.name, other.name): _pair(one, other, members, segments, written)
            for one in members
            for other in members
            if one != other
        },
        {pair: Span(rate, rate) for pair, rate in _across(members, segments, written)},
        {member.name: _outbound(member, members, segments, written, unregistered) for member in members},
        {member.name: everything - written[member.name] for member in members},
        everything * unregistered,
        everything,
    )


def _segments(members: Sequence[Member]) -> dict[str, list[str]]:
    """The names of the nodes of each segment."""
    found: dict[str, list[str]] = {}
    for member in members:
        found.setdefault(member.segment, []).append(member.name)
    return found


def _pair(
    one: Member,
    other: Member,
    members: Sequence[Member],
    segments: Mapping[str, Sequence[str]],
    written: Mapping[str, float],
) -> Span:
    own = written[one.name]
    size = len(segments[other.segment])
    if one.segment != other.segment:
        return Span(own if size == 1 else 0.0, own)
    return Span(own, own + _relayed(one, members, written))


def _relayed(relay: Member, members: Sequence[Member], written: Mapping[str, float]) -> float:
    """What the node may have to send on for other segments."""
    return sum(written[member.name] for member in members if member.segment != relay.segment)


def _outbound(
    member: Member,
    members: Sequence[Member],
    segments: Mapping[str, Sequence[str]],
    written: Mapping[str, float],
    unregistered: int,
) -> Span:
    own, near = written[member.name], len(segments[member.segment]) - 1
    exact = own * (near + len(segments) - 1)
    relayed = _relayed(member, members, written)
    return Span(exact, exact + relayed * near + unregistered * (own + relayed))


def _across(
    members: Sequence[Member], segments: Mapping[str, Sequence[str]], written: Mapping[str, float]
) -> Iterator[tuple[Pair, float]]:
    """Exact: each write-set crosses from its own segment to each other one once."""
    for one in segments:
        rate = sum(written[member.name] for member in members if member.segment == one)
        yield from (((one, other), rate) for other in segments if other != one)
