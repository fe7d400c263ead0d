"""Timeouts of the failure detection that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.adviser.advice.facts import ClusterConfiguration, NodeConfiguration
from backend.core.adviser.advice.model import Advice, AdviceEntry, ClusterRule, Risk
from backend.core.adviser.advice.options.values import duration_s

_KEEPALIVE, _SUSPECT, _INACTIVE = "evs.keepalive_period", "evs.suspect_timeout", "evs.inactive_timeout"
_PAIRS = ((_KEEPALIVE, _SUSPECT), (_SUSPECT, _INACTIVE))
ENTRY = AdviceEntry(
    code="failure_timeouts_inconsistent",
    risk=Risk.HIGH,
    title="Timeouts of the failure detection contradict each other",
    evidence=(
        "Tried on Galera 26.4.23: a running node accepts such values. A keepalive of PT7S with a suspect timeout of "
        "PT6S was refused at the next start, which then failed; a suspect timeout above the inactive one was not. What "
        "they do to a healthy node was not measured here."
    ),
    is_measured=False,
)


def _contradictions(node: NodeConfiguration) -> Iterator[str]:
    for lower, upper in _PAIRS:
        low, high = duration_s(node.options.get(lower)), duration_s(node.options.get(upper))
        if low is not None and high is not None and low >= high:
            yield f"{lower} ({node.options[lower]}) is not below {upper} ({node.options[upper]})"


def _advise(cluster: ClusterConfiguration) -> Iterator[Advice]:
    for node in cluster.read:
        found = list(_contradictions(node))
        if found:
            yield Advice(
                ENTRY,
                cluster.id,
                cluster.name,
                (node.name,),
                fact=f"{node.name}: {'; '.join(found)}.",
                consequence="A healthy node may be suspected, or expelled before the others agree.",
                remedy=f"Let {_KEEPALIVE}, {_SUSPECT} and {_INACTIVE} rise in this order, alike on all nodes. The "
                "defaults are PT1S, PT5S and PT15S.",
                facts={name: node.options.get(name) for name in (_KEEPALIVE, _SUSPECT, _INACTIVE)},
            )


RULE = ClusterRule(ENTRY, _advise)
