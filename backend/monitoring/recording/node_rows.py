"""The stored states of nodes as this monitor last wrote them, read again where another process wrote since."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from backend.core.facts.moved_values import moved_values
from backend.monitoring.models import NodeState

WHOLE_EVERY_S = 60.0
"""After this time facts are stored whole again; until twice this, so that those of all nodes do not come at once."""
_MOST_MOVED = 60


class NodeRows:
    """Rows by node id. Facts are large and mostly stay the same, so they are not read back in each tick."""

    def __init__(self) -> None:
        self._rows: dict[str, NodeState] = {}

    def read(self, node_ids: Collection[str]) -> dict[str, NodeState]:
        """The stored rows of these nodes: one query for their times, and one more for those written by others."""
        stored = dict(NodeState.objects.filter(pk__in=node_ids).values_list("pk", "observed_at"))
        known = {pk: row for pk, row in self._rows.items() if stored.get(pk) == row.observed_at}
        read = NodeState.objects.in_bulk([pk for pk in stored if pk not in known])
        self._rows = known | read
        return {pk: self._rows[pk] for pk in stored}

    def keep(self, row: NodeState) -> None:
        """Remember a row that is new."""
        self._rows[row.pk] = row


def put_facts(row: NodeState, facts: dict[str, Any], observed_at: datetime) -> bool:
    """Set a row's facts: only what moved, or whole from time to time and where much did; whether it is whole."""
    base = row.base
    age = facts["observed_at_s"] - base.get("observed_at_s", 0.0)
    moved = moved_values(base, facts) if base.keys() == facts.keys() else None
    is_whole = moved is None or len(moved) > _MOST_MOVED or not 0 <= age < _whole_after_s(row.pk)
    if is_whole:
        row.base, row.moved = facts, None
    else:
        row.moved = {"since": base["observed_at_s"], "values": moved}
    row.observed_at = observed_at
    return is_whole


def _whole_after_s(node_id: str) -> float:
    return WHOLE_EVERY_S * (1 + sum(node_id.encode()) % 16 / 16)
