"""A packet size that Galera cuts down without saying so in an answer."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.adviser.advice.changes import option_change
from backend.core.adviser.advice.facts import ClusterConfiguration, NodeConfiguration
from backend.core.adviser.advice.model import Advice, AdviceEntry, ClusterRule, Risk
from backend.core.adviser.advice.options.known import KNOWN
from backend.core.adviser.advice.options.values import size_bytes
from backend.core.adviser.advice.rules.texts import values

CEILING = 32_636
_NAME = "gcs.max_packet_size"
ENTRY = AdviceEntry(
    code="packet_size_ineffective",
    risk=Risk.LOW,
    title="gcs.max_packet_size has no effect",
    evidence=(
        "Measured on Galera 26.4.23: with 64500 as with 2097152 the server logs a message size of 32636, and no larger "
        "fragment was on the wire."
    ),
    is_measured=True,
)


def is_ineffective(node: NodeConfiguration) -> bool:
    """Whether the node sets a size above the ceiling; the default is above it, too, and not meant."""
    size, default = size_bytes(node.options.get(_NAME)), size_bytes(KNOWN[_NAME].default)
    return node.galera is not None and node.galera[0] == 4 and size not in (None, default) and (size or 0) > CEILING


def _advise(cluster: ClusterConfiguration) -> Iterator[Advice]:
    found = [node for node in cluster.read if is_ineffective(node)]
    if not found:
        return
    shown = {node.name: node.options[_NAME] for node in found}
    yield Advice(
        ENTRY,
        cluster.id,
        cluster.name,
        tuple(shown),
        fact=f"{_NAME} is above {CEILING:,} bytes ({values(shown)}).",
        consequence="Galera 4 sends fragments of at most 32,636 bytes, so the setting changes nothing.",
        remedy=f"Remove {_NAME} from wsrep_provider_options in the configuration files.",
        facts={_NAME: shown},
        changes=tuple(option_change(node, _NAME, str(KNOWN[_NAME].default)) for node in found),
    )


RULE = ClusterRule(ENTRY, _advise)
