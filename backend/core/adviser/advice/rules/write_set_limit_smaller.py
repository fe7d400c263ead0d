"""A side of a link that refuses transactions which the other side accepts."""

from __future__ import annotations

import math
from collections.abc import Iterator

from backend.core.adviser.advice.facts import ClusterConfiguration, LinkConfiguration
from backend.core.adviser.advice.model import Advice, AdviceEntry, LinkRule, Risk
from backend.core.adviser.advice.options.values import number, size_bytes
from backend.core.adviser.advice.rules.texts import NOT_MEASURED, values

_ROWS = "wsrep_max_ws_rows"
_BYTES = "wsrep_max_ws_size"
ENTRY = AdviceEntry(
    code="write_set_limit_smaller",
    risk=Risk.HIGH,
    title="One side refuses transactions of the other",
    evidence=f"From the documentation of Galera. {NOT_MEASURED}",
    is_measured=False,
)


def _advise(link: LinkConfiguration) -> Iterator[Advice]:
    for name in (_BYTES, _ROWS):
        active, standby = _limit(link.active, name), _limit(link.standby, name)
        if active is None or standby is None or active == standby:
            continue
        smaller, larger = (link.active, link.standby) if active < standby else (link.standby, link.active)
        shown = {link.active.name: _text(active), link.standby.name: _text(standby)}
        yield Advice(
            ENTRY,
            link.id,
            link.name,
            tuple(node.name for node in smaller.nodes),
            fact=f"{name} is smaller on {smaller.name} than on {larger.name} ({values(shown)}).",
            consequence=f"A transaction that {larger.name} accepts can stop the channel on {smaller.name}.",
            remedy=f"Set {name} to the same value on all nodes of both clusters.",
            facts={name: shown},
        )


def _limit(cluster: ClusterConfiguration, name: str) -> float | None:
    """The smallest limit of the nodes, without one infinity; None while a node's is unknown."""
    read = number if name == _ROWS else size_bytes
    seen = [read(node.variables.get(name)) for node in cluster.nodes]
    known = [float(limit) for limit in seen if limit is not None]
    return min((limit or math.inf for limit in known), default=None) if len(known) == len(seen) else None


def _text(limit: float) -> str:
    return "no limit" if limit == math.inf else f"{limit:,.0f}"


RULE = LinkRule(ENTRY, _advise)
