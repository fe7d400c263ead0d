"""Large send windows in a cluster at one site."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.adviser.advice.changes import option_change
from backend.core.adviser.advice.facts import ClusterConfiguration
from backend.core.adviser.advice.layout import Layout, layout_of
from backend.core.adviser.advice.model import Advice, AdviceEntry, ClusterRule, Risk
from backend.core.adviser.advice.options.values import number
from backend.core.adviser.advice.rules.texts import REVERSE, values

LARGE = 512
"""The size that was measured; between it and the default nothing was."""
_DEFAULTS = {"evs.user_send_window": "2", "evs.send_window": "4"}
_USER = "evs.user_send_window"
ENTRY = AdviceEntry(
    code="send_window_large",
    risk=Risk.MEDIUM,
    title="Send windows too large for one site",
    evidence=(
        "Measured without distance, six nodes, 24 writers, five repetitions: 0.54 and 0.57 of the rows per second with "
        "windows of 512 against 4 and 2. Field articles advise 512 for one site; that did not hold."
    ),
    is_measured=True,
)


def _advise(cluster: ClusterConfiguration) -> Iterator[Advice]:
    if layout_of(cluster) is not Layout.ONE_SITE:
        return
    large = [node for node in cluster.read if (number(node.options.get(_USER)) or 0) >= LARGE]
    if not large:
        return
    shown = {node.name: node.options[_USER] for node in large}
    yield Advice(
        ENTRY,
        cluster.id,
        cluster.name,
        tuple(shown),
        fact=f"{_USER} is {LARGE} or more ({values(shown)}), and the cluster lies at one site.",
        consequence="Write-sets are sent in more packets, and throughput falls.",
        remedy=f"Run the statements in this order, and remove both options from the configuration files. {REVERSE}",
        facts={_USER: shown},
        changes=tuple(option_change(node, name, value) for node in large for name, value in _DEFAULTS.items()),
    )


RULE = ClusterRule(ENTRY, _advise)
