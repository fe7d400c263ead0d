"""Multicast, with which no second node joins on Galera 26.4."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.adviser.advice.changes import option_change
from backend.core.adviser.advice.facts import ClusterConfiguration, NodeConfiguration
from backend.core.adviser.advice.model import Advice, AdviceEntry, ClusterRule, Risk
from backend.core.adviser.advice.rules.texts import values

_NAME = "gmcast.mcast_addr"
ENTRY = AdviceEntry(
    code="multicast_prevents_join",
    risk=Risk.HIGH,
    title="Multicast keeps nodes from joining",
    evidence=(
        "Measured on Galera 26.4.23: the first node starts, the second gives up with error 110 and logs that lengths "
        "do not match, whatever `socket.checksum` is. The provider leaves out the header of its datagrams."
    ),
    is_measured=True,
)


def is_harmful(node: NodeConfiguration) -> bool:
    """Whether the node sends by multicast with a provider that leaves its header out."""
    return bool(node.options.get(_NAME)) and node.galera is not None and node.galera[0] == 4


def _advise(cluster: ClusterConfiguration) -> Iterator[Advice]:
    found = [node for node in cluster.read if is_harmful(node)]
    if not found:
        return
    shown = {node.name: node.options[_NAME] for node in found}
    yield Advice(
        ENTRY,
        cluster.id,
        cluster.name,
        tuple(shown),
        fact=f"{_NAME} is set ({values(shown)}).",
        consequence="With Galera 26.4 no node joins a first one by multicast, so the cluster does not form again "
        "after a full restart.",
        remedy=f"Remove {_NAME} from wsrep_provider_options in the configuration files before any node restarts.",
        facts={_NAME: shown},
        changes=tuple(option_change(node, _NAME, "") for node in found),
    )


RULE = ClusterRule(ENTRY, _advise)
