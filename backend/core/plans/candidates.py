"""Which nodes a relocate takes when nobody names them: the pair that is best placed, else the first that is proven.

A place may be told on one node and not on its neighbour: its logs were purged, a node-local write stands in it, its
filters differ. Each pair is judged by the same checks and the same proof; nothing is relaxed for a later one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from backend.core.checks.context import CheckContext, Pair
from backend.core.findings import Finding, Severity, is_refused
from backend.core.link_facts import LinkFacts
from backend.core.locate.model import Located
from backend.core.plans.already_applied import allow_already_applied
from backend.core.plans.position_findings import position_finding
from backend.core.plans.target import candidates

MOST_PAIRS = 6
"""Pairs looked at for one plan, the first included: every one of them reads logs of both sides."""
OF_A_NODE = frozenset(
    {
        "position_not_proven",
        "binlog_purged",
        "gtid_slave_pos_differs",
        "filters_differ",
        "filters_unknown",
        "replica_older",
        "version_unknown",
        "row_image_unknown",
        "connection_name_taken",
        "replication_login_refused",
        "replication_login_unknown",
        *(f"{variable}_wrong" for variable in ("log_bin", "log_slave_updates", "binlog_format")),
        *(f"{variable}_unknown" for variable in ("log_bin", "log_slave_updates", "binlog_format")),
    }
)
"""Refusals that another node may not share; any other one is the link's, whichever nodes are meant."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One pair, what the checks say of it, and what was located on it."""

    ctx: CheckContext
    findings: tuple[Finding, ...]
    located: tuple[Located, ...]

    @property
    def judged(self) -> tuple[Finding, ...]:
        """What the checks and the proofs say together."""
        by_direction = {one.direction: one for one in self.located}
        weighed = allow_already_applied(self.ctx, self.findings, by_direction)
        return (*weighed, *(position_finding(self.ctx, one) for one in self.located))

    @property
    def is_sound(self) -> bool:
        """Whether the channels can be moved onto this pair."""
        return not is_refused(self.judged) and len(self.located) == len(self.ctx.moves)

    @property
    def may_differ_elsewhere(self) -> bool:
        """Whether all that refuses it is of these nodes."""
        return all(finding.code in OF_A_NODE for finding in self.judged if finding.refuses)


def further_pairs(link: LinkFacts, first: Pair, source_node: str | None, replica_node: str | None) -> tuple[Pair, ...]:
    """Every other pair of fit nodes, best first, with the named nodes (ids) kept; `first` was looked at already."""
    sources = _in_order(link, first.active_node_id, source_node)
    replicas = _in_order(link, first.standby_node_id, replica_node)
    pairs = [(i + j, Pair(source, replica)) for j, replica in enumerate(replicas) for i, source in enumerate(sources)]
    ordered = (pair for _, pair in sorted(pairs, key=lambda one: one[0]) if pair != first)
    return tuple(islice(ordered, MOST_PAIRS - 1))


def _in_order(link: LinkFacts, first: str, wanted: str | None) -> list[str]:
    """The side's nodes to take: `first`, then its fit neighbours, unless one is wanted."""
    if wanted is not None:
        return [wanted]
    side = next(cluster for cluster in (link.active, link.standby) if first in {n.node.id for n in cluster.nodes})
    return [first, *(facts.node.id for facts in candidates(side) if facts.node.id != first)]


def choose_attempt(first: Attempt, further: Iterable[Attempt]) -> tuple[Attempt, tuple[Finding, ...]]:
    """The first sound one, and of each that was left for it why; the very first where none is sound.

    `further` is read no further than it has to be.
    """
    if first.is_sound or not first.may_differ_elsewhere:
        return first, ()
    tried = [first]
    for attempt in further:
        if attempt.is_sound:
            return attempt, tuple(_left_out(one) for one in tried)
        tried.append(attempt)
    return first, tuple(_left_out(one) for one in tried[1:])


def _left_out(attempt: Attempt) -> Finding:
    source, replica = attempt.ctx.pair
    refusing: Sequence[Finding] = [finding for finding in attempt.judged if finding.refuses]
    return Finding(
        "candidate_left_out",
        Severity.INFO,
        f"{source.node.name} ⇄ {replica.node.name} was tried, too: {' '.join(one.message for one in refusing)}",
        " ".join(dict.fromkeys(one.remedy for one in refusing if one.remedy)),
        {
            "source_node": source.node.id,
            "replica_node": replica.node.id,
            "codes": sorted({finding.code for finding in refusing}),
        },
    )
