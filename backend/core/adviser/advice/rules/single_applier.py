"""One applier where the transactions could be applied in parallel."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.adviser.advice.changes import variable_change
from backend.core.adviser.advice.facts import ClusterConfiguration
from backend.core.adviser.advice.model import Advice, AdviceEntry, ClusterRule, Risk
from backend.core.adviser.advice.options.values import number
from backend.core.adviser.advice.rules.texts import NOT_MEASURED, names

_MOST = 4
ENTRY = AdviceEntry(
    code="single_applier",
    risk=Risk.LOW,
    title="One applier thread",
    evidence=f"From the documentation of Galera. {NOT_MEASURED}",
    is_measured=False,
)


def _advise(cluster: ClusterConfiguration) -> Iterator[Advice]:
    found = []
    for node in cluster.read:
        distance = number(node.status.get("wsrep_cert_deps_distance"))
        if node.appliers and node.appliers[1] == "1" and distance is not None and distance >= 2:
            found.append((node, node.appliers[0], min(_MOST, int(distance))))
    if not found:
        return
    yield Advice(
        ENTRY,
        cluster.id,
        cluster.name,
        tuple(node.name for node, _, _ in found),
        fact=f"{names([node for node, _, _ in found])} applies with one thread, and two or more transactions could be "
        "applied at once.",
        consequence="The node may apply more slowly than its peers write, and flow control then stops them.",
        remedy="Run the statement and put the variable into the configuration file. Do not exceed twice the number of "
        "cores.",
        facts={node.name: variable for node, variable, _ in found},
        changes=tuple(variable_change(node, variable, str(threads)) for node, variable, threads in found),
    )


RULE = ClusterRule(ENTRY, _advise)
