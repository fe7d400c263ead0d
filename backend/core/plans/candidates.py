"""Which nodes a relocate uses when the operator names none: the best pair, else the first one that is proven.

A position may be proven on one node and not on its peer: the peer's logs were purged, its log holds a node-local write,
or its filters differ. Each pair passes the same checks and the same proof; no check is relaxed for a later pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from backend.core.checks.context import CheckContext, Pair
from backend.core.findings import Finding, Severity, is_refused
from backend.core.link_facts import LinkFacts
from backend.core.locate.model import Located
from backend.core.plans.already_applied import allow_already_applied
from backend.core.plans.position_findings import position_finding
from backend.core.plans.target import candidates
from backend.core.server_settings.table import REFUSING_CODES

MOST_PAIRS = 6
"""The maximum number of pairs checked for one plan, the first included: each one reads logs of both sides."""
OF_A_NODE = frozenset(
    {
        "position_not_proven",
        "binlog_purged",
        "log_event_unknown",
        "position_beyond_4_gib",
        "gtid_slave_pos_differs",
        "gtid_set_unknown",
        "gtid_set_differs",
        "gtid_purged_needed",
        "gtid_errant",
        "filters_differ",
        "filters_unknown",
        "version_unknown",
        "channel_tls_not_verifiable",
        "row_image_unknown",
        "connection_name_taken",
        "reading_would_stop_again",
        "reading_cause_unknown",
        "replication_login_refused",
        "replication_login_unknown",
        "replica_packet_smaller",
        *REFUSING_CODES,
    }
) - {"commit_order_unknown", "commit_order_not_guaranteed"}
"""Refusals that another node may not share; every other refusal applies to the link with any nodes.

The commit order of each node is checked, whichever is used.
"""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One pair, the findings of its checks, and what was located on it."""

    ctx: CheckContext
    findings: tuple[Finding, ...]
    located: tuple[Located, ...]

    @property
    def judged(self) -> tuple[Finding, ...]:
        """The findings of the checks and of the proofs."""
        by_direction = {one.direction: one for one in self.located}
        weighed = allow_already_applied(self.ctx, self.findings, by_direction)
        return (*weighed, *(position_finding(self.ctx, one) for one in self.located))

    @property
    def is_sound(self) -> bool:
        """Whether the channels can be moved onto this pair."""
        return not is_refused(self.judged) and len(self.located) == len(self.ctx.moves)

    @property
    def may_differ_elsewhere(self) -> bool:
        """Whether every refusal is about these nodes."""
        return all(finding.code in OF_A_NODE for finding in self.judged if finding.refuses)


AnyAttempt = TypeVar("AnyAttempt", bound=Attempt)


def further_pairs(link: LinkFacts, first: Pair, source_node: str | None, replica_node: str | None) -> tuple[Pair, ...]:
    """Every other pair of fit nodes, best first, with the named nodes (ids) kept; `first` was checked already."""
    sources = _in_order(link, first.active_node_id, source_node)
    replicas = _in_order(link, first.standby_node_id, replica_node)
    pairs = [(i + j, Pair(source, replica)) for j, replica in enumerate(replicas) for i, source in enumerate(sources)]
    ordered = (pair for _, pair in sorted(pairs, key=lambda one: one[0]) if pair != first)
    return tuple(islice(ordered, MOST_PAIRS - 1))


def _in_order(link: LinkFacts, first: str, wanted: str | None) -> list[str]:
    """The side's nodes to use: `first`, then its fit peers, unless a node is wanted."""
    if wanted is not None:
        return [wanted]
    side = next(cluster for cluster in (link.active, link.standby) if first in {n.node.id for n in cluster.nodes})
    return [first, *(facts.node.id for facts in candidates(side) if facts.node.id != first)]


def choose_attempt(first: AnyAttempt, further: Iterable[AnyAttempt]) -> tuple[AnyAttempt, tuple[Finding, ...]]:
    """The first sound attempt, with a finding for each that was left out before it; `first` where none is sound.

    `further` is read only as far as necessary.
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
        f"{source.node.name} ⇄ {replica.node.name} was checked, too: {' '.join(one.message for one in refusing)}",
        " ".join(dict.fromkeys(one.remedy for one in refusing if one.remedy)),
        {
            "source_node": source.node.id,
            "replica_node": replica.node.id,
            "codes": sorted({finding.code for finding in refusing}),
        },
    )
