"""Server variables that differ between nodes that must agree in them."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.advice.changes import variable_change
from backend.core.advice.differences import variable_differences
from backend.core.advice.facts import ClusterConfiguration
from backend.core.advice.model import Advice, AdviceEntry, ClusterRule, Risk
from backend.core.advice.rules.texts import NOT_MEASURED, values

ENTRY = AdviceEntry(
    code="variable_values_differ",
    risk=Risk.MEDIUM,
    title="A server variable differs between nodes",
    what_happened="A server variable that all nodes of a cluster must agree in has different values.",
    what_it_means="The nodes behave differently in the same situation. The advice names how.",
    what_to_do="Decide which value is right, and set it on the other nodes and in their configuration files.",
    evidence=f"From the meaning of each variable. {NOT_MEASURED}",
    is_measured=False,
)


def _advise(cluster: ClusterConfiguration) -> Iterator[Advice]:
    by_name = {node.name: node for node in cluster.read}
    for found in variable_differences(cluster):
        wanted = found.wanted
        yield Advice(
            ENTRY,
            cluster.id,
            cluster.name,
            found.deviating,
            fact=f"{found.name} differs ({values(found.by_node)}).",
            consequence=found.why,
            remedy=f"Set {found.name} to the same value on all nodes of {cluster.name}."
            + (f" Most nodes have {wanted or '(empty)'}." if wanted is not None else ""),
            facts={found.name: dict(found.by_node)},
            changes=()
            if wanted is None
            else tuple(variable_change(by_name[name], found.name, wanted) for name in found.deviating),
        )


RULE = ClusterRule(ENTRY, _advise)
