"""Looks a transaction up on a link: first by what was asked, then, where that names few, by what they are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from backend.core.link_facts import LinkFacts
from backend.core.lookup.applied import Side, sides_of
from backend.core.lookup.model import CLOCK_SLACK_S, Criteria, LookupLimits, NodeAnswer, NodeState
from backend.core.lookup.search import NodeQuestion
from backend.core.lookup.transactions import FoundTransaction, Location, not_on_node, pair, rival_nodes
from backend.core.positions import FilePosition
from backend.core.topology import NodeFacts

FOLLOWED = 3
"""So many transactions are looked for on the other nodes by their content; of more, only what the search itself met."""
MAX_SKEW_S = 86_400


@dataclass(frozen=True, slots=True)
class LookupQuestion:
    """`node_id` has the log of the position, `cluster_id` counted the Xid; `resume`: where a search ended, by node."""

    criteria: Criteria
    limits: LookupLimits = field(default_factory=LookupLimits)
    node_id: str | None = None
    cluster_id: str | None = None
    resume: Mapping[str, FilePosition] | None = None


@dataclass(frozen=True, slots=True)
class NodeLocation:
    """One node's answer on one transaction."""

    node_id: str
    cluster_id: str
    state: NodeState
    detail: str
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class LookedUp:
    """One transaction: where it stands on each node, and which side holds it."""

    transaction: FoundTransaction
    nodes: tuple[NodeLocation, ...]
    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class Lookup:
    """The whole answer; `resume` continues the search, by node, and is empty once it is complete."""

    transactions: tuple[LookedUp, ...]
    answers: tuple[NodeAnswer, ...]
    resume: Mapping[str, FilePosition]


SearchNodes = Callable[[Mapping[str, NodeQuestion]], Sequence[NodeAnswer]]
"""Searches several nodes at once, each with its own question; one that cannot be read is an answer, too."""


def look_up(link: LinkFacts, asked: LookupQuestion, search: SearchNodes) -> Lookup:
    """Search the nodes, and the other ones for what was found."""
    slack_s = slack_of(link)
    first = search({
        facts.node.id: NodeQuestion(asked.criteria, asked.limits, slack_s, (asked.resume or {}).get(facts.node.id))
        for facts in link.nodes
        if _is_asked(asked, facts)
    })  # fmt: skip
    judging = [*first] if asked.criteria.finds_equal else []
    found = pair(first, witnesses=judging, slack_s=slack_s)
    answers = [*first]
    if 0 < len(found) <= FOLLOWED:
        more = search(_follow_up(link, found, first, judging, slack_s, asked.limits))
        answers, judging = [*answers, *more], [*judging, *more]
        found = pair(first, more, judging, slack_s)
    looked_up = tuple(_looked_up(link, one, found, _Read(answers, judging, slack_s)) for one in found)
    resume = {a.node_id: a.scan.end for a in first if a.scan is not None and a.scan.stop.is_limit}
    return Lookup(looked_up, tuple(first), resume)


def slack_of(link: LinkFacts) -> int:
    """By how much times of different servers are allowed to differ: more where clocks are seen to."""
    offsets = [abs(facts.clock_offset_s) for facts in link.nodes if facts.clock_offset_s is not None]
    return CLOCK_SLACK_S + min(MAX_SKEW_S, round(max(offsets, default=0.0)))


def _is_asked(asked: LookupQuestion, facts: NodeFacts) -> bool:
    node = facts.node
    if asked.resume is not None and node.id not in asked.resume:
        return False
    return asked.node_id in (None, node.id) and asked.cluster_id in (None, node.cluster_id)


@dataclass(frozen=True, slots=True)
class _Read:
    """All answers, and those of them that would have found every log's copy of a transaction."""

    answers: Sequence[NodeAnswer]
    judging: Sequence[NodeAnswer]
    slack_s: int


def _follow_up(
    link: LinkFacts,
    found: Sequence[FoundTransaction],
    first: Sequence[NodeAnswer],
    judging: Sequence[NodeAnswer],
    slack_s: int,
    limits: LookupLimits,
) -> dict[str, NodeQuestion]:
    """Each node is asked for what it was not seen to hold, unless its log is known not to.

    A node that holds one is asked for it, too: whether there are others that are equal.
    """
    unreadable = {a.node_id for a in first if a.scan is None and a.code != "no_such_file"}
    known = {answer.node_id: answer for answer in judging}
    questions = {}
    for node_id in (facts.node.id for facts in link.nodes if facts.node.id not in unreadable):
        answer = known.get(node_id)
        missing = [one for one in not_on_node(found, node_id) if not (answer and answer.covers(one.at_s, slack_s))]
        missing += [one.seen for one in found if one.locations[0].node_id == node_id]
        if missing:
            criteria = Criteria(since_s=min(one.at_s for one in missing), alike=tuple(missing))
            questions[node_id] = NodeQuestion(criteria, limits, slack_s)
    return questions


def _looked_up(link: LinkFacts, one: FoundTransaction, found: Sequence[FoundTransaction], read: _Read) -> LookedUp:
    rivals = rival_nodes(one, found)
    locations = tuple(_location(facts, one, read, rivals) for facts in link.nodes)
    return LookedUp(one, locations, sides_of(link, one, read.judging, read.slack_s, rivals))


def _location(facts: NodeFacts, found: FoundTransaction, read: _Read, rivals: Collection[str]) -> NodeLocation:
    node = facts.node
    location = found.on_node(node.id)
    if location is not None:
        return NodeLocation(node.id, node.cluster_id, NodeState.FOUND, "", location)
    if node.id in rivals:
        text = "An equal transaction of that second stands there. No number says which one it is."
        return NodeLocation(node.id, node.cluster_id, NodeState.UNKNOWN, text)
    judging = (answer for answer in read.judging if answer.node_id == node.id)
    whole = next((answer for answer in judging if answer.covers(found.seen.at_s, read.slack_s)), None)
    if whole is not None and whole.scan is not None:
        text = f"Not in its binary log from {whole.scan.start} to {whole.scan.end}, the log's end."
        return NodeLocation(node.id, node.cluster_id, NodeState.NOT_FOUND, text)
    own = [answer for answer in read.answers if answer.node_id == node.id]
    unread = next((answer for answer in reversed(own) if answer.state is NodeState.UNKNOWN), None)
    text = unread.detail if unread else "Its binary log was not read for this transaction. Look it up by position."
    return NodeLocation(node.id, node.cluster_id, NodeState.UNKNOWN, text)
