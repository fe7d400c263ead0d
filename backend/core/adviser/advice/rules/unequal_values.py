"""Advice on values that differ between nodes that must agree in them, of options as of variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from backend.core.adviser.advice.changes import ConfigurationChange
from backend.core.adviser.advice.differences import Difference
from backend.core.adviser.advice.facts import ClusterConfiguration, NodeConfiguration
from backend.core.adviser.advice.model import Advice, AdviceEntry
from backend.core.adviser.advice.rules.texts import values


def on_differences(
    entry: AdviceEntry,
    cluster: ClusterConfiguration,
    found: Iterable[Difference],
    change: Callable[[NodeConfiguration, str, str], ConfigurationChange],
) -> Iterator[Advice]:
    """One advice for each difference; without a value that most nodes have there is no statement."""
    by_name = {node.name: node for node in cluster.read}
    for one in found:
        wanted = one.wanted
        most = "" if wanted is None else f" Most nodes have {wanted or '(empty)'}."
        yield Advice(
            entry,
            cluster.id,
            cluster.name,
            one.deviating,
            fact=f"{one.name} differs ({values(one.by_node)}).",
            consequence=one.why,
            remedy=f"Set {one.name} to the same value on all nodes of {cluster.name}.{most}",
            facts={one.name: dict(one.by_node)},
            changes=() if wanted is None else tuple(change(by_name[name], one.name, wanted) for name in one.deviating),
        )
