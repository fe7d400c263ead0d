"""Server variables that differ between nodes that must agree in them."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.adviser.advice.changes import variable_change
from backend.core.adviser.advice.differences import variable_differences
from backend.core.adviser.advice.facts import ClusterConfiguration
from backend.core.adviser.advice.model import Advice, AdviceEntry, ClusterRule, Risk
from backend.core.adviser.advice.rules.texts import NOT_MEASURED
from backend.core.adviser.advice.rules.unequal_values import on_differences

ENTRY = AdviceEntry(
    code="variable_values_differ",
    risk=Risk.MEDIUM,
    title="A server variable differs between nodes",
    evidence=f"From the meaning of each variable. {NOT_MEASURED}",
    is_measured=False,
)


def _advise(cluster: ClusterConfiguration) -> Iterator[Advice]:
    yield from on_differences(ENTRY, cluster, variable_differences(cluster), variable_change)


RULE = ClusterRule(ENTRY, _advise)
