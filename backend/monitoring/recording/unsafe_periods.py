"""Stores when a node of a link had a setting with which rows come to differ unseen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from backend.clusters.models import Link
from backend.common.events import services as events
from backend.core.facts.unsafe_periods import COMPARED, followed, period_findings
from backend.core.link_facts import LinkFacts, UnsafePeriod
from backend.core.stream_account import CARRIED_S
from backend.gateway.polling.pollers import Polled
from backend.monitoring.models import UnsafePeriod as UnsafePeriodRow
from backend.monitoring.times import from_unix


class UnsafeInLogs:
    """What sessions wrote lately in a way in which servers come to differ, as the logs that this monitor reads show."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], tuple[str, float]] = {}

    def take(
        self, polled: Mapping[str, Polled], within_sides: Mapping[tuple[str, str], str], now_s: float
    ) -> dict[tuple[str, str], str]:
        """By node id and setting the value; that of a session is told of the server that wrote it, and where no node
        that responds is that one, of each node whose log has it.

        `within_sides`: what was found between the nodes of each side.
        """
        self._seen |= {key: (value, now_s) for key, value in within_sides.items()}
        writers = {one.facts.server_id for one in polled.values()}
        for node_id, one in polled.items():
            for (variable, server_id), value in one.tail.take_unsafe().items():
                if server_id == one.facts.server_id:
                    self._seen[node_id, variable] = value, now_s
                elif server_id not in writers:
                    self._seen[node_id, variable] = f"{value} by server_id {server_id}", now_s
        self._seen = {key: (value, at_s) for key, (value, at_s) in self._seen.items() if now_s - at_s <= CARRIED_S}
        return {key: value for key, (value, _) in self._seen.items()}


def follow_unsafe_periods(link: Link, seen: LinkFacts) -> LinkFacts:
    """The link with its periods of now; what began, changed or ended is stored, and what ended is told."""
    periods = followed(seen)
    changed = [one for one in periods if one not in seen.unsafe_periods]
    for one in changed:
        _store(link.pk, one)
    ended = tuple(one for one in changed if one.until_s is not None)
    for finding in period_findings(replace(seen, unsafe_periods=ended)):
        events.raised(link_id=link.pk, kind="link.rows_may_differ", severity="blocker", message=finding.message)
    return replace(seen, unsafe_periods=periods)


def record_compared(link_id: str, node_id: str, node: str, value: str, at_s: float) -> None:
    """Store that a comparison of tables found rows of a node that differ; the monitor's next look tells of it."""
    _store(link_id, UnsafePeriod(node_id, node, COMPARED, value, at_s))


def _store(link_id: str, one: UnsafePeriod) -> None:
    UnsafePeriodRow.objects.update_or_create(
        link_id=link_id,
        node_id=one.node_id,
        variable=one.variable,
        defaults={
            "node_name": one.node,
            "value": one.value,
            "began_at": from_unix(one.since_s),
            "ended_at": None if one.until_s is None else from_unix(one.until_s),
        },
    )
