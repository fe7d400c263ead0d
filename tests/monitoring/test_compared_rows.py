"""Whose logs the monitor follows for their rows, and that what it reads reaches the account."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from backend.clusters.models import Link
from backend.core.positions import FilePosition
from backend.gateway.polling.binlog_tail import BinlogTail
from backend.gateway.polling.pollers import Polled
from backend.gateway.row_streams import Followed, StreamedRows
from backend.monitoring.monitor import Monitor
from tests.monitoring.facts import gone, up
from tests.support.console import make_link

pytestmark = pytest.mark.django_db
Look = Callable[[], None]
START = FilePosition("binlog.000001", 4)


class Streams:
    """In place of the real ones."""

    def __init__(self) -> None:
        self.wanted: dict[str, Followed] = {}
        self.read = StreamedRows(START)

    def follow(self, wanted: Mapping[str, Followed]) -> None:
        self.wanted = dict(wanted)

    def rows(self, node_id: str) -> StreamedRows | None:
        return self.read if node_id in self.wanted else None

    def readable(self) -> set[str]:
        return {node_id for node_id, one in self.wanted.items() if one.is_readable}


@pytest.fixture
def streams() -> Streams:
    return Streams()


@pytest.fixture
def polled() -> dict[str, Polled]:
    return {}


@pytest.fixture
def link(polled: dict[str, Polled]) -> Link:
    """All nodes respond, those of a cluster whose link another monitor has, too."""
    link, other = make_link(), make_link("orders", "127.0.72")
    for side in (link.active_cluster, link.standby_cluster, other.active_cluster):
        for node in side.nodes.all():
            polled[node.id] = Polled(replace(up("a1"), node=node.ref), None, BinlogTail(START))
    return link


@pytest.fixture
def look(
    link: Link, polled: dict[str, Polled], streams: Streams, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], None]:
    """What a tick does with what was polled."""
    monitor, sides = Monitor(threading.Event()), [link.active_cluster, link.standby_cluster]
    monkeypatch.setattr(monitor, "_rows", streams)
    monkeypatch.setattr(monitor, "_accesses", dict.fromkeys(polled))
    monkeypatch.setattr(monitor._owner, "_epochs", {side.id: 1 for side in sides})
    monitor._registration.clusters, monitor._registration.links = sides, [link]

    def with_rows() -> None:
        polled.update(monitor._with_rows(polled))

    return with_rows


def nodes_of(link: Link) -> set[str]:
    return {node.id for side in (link.active_cluster, link.standby_cluster) for node in side.nodes.all()}


def test_rows__of_the_nodes_of_its_links__read_and_told_with_each_poll(
    look: Look, link: Link, polled: dict[str, Polled], streams: Streams
) -> None:
    look()
    assert streams.readable() == nodes_of(link)
    assert {node_id for node_id, one in polled.items() if one.rows is streams.read} == nodes_of(link)


def test_rows__node_that_does_not_respond_or_of_another_family__not_to_be_opened(
    look: Look, link: Link, polled: dict[str, Polled], streams: Streams
) -> None:
    silent, strange, *others = sorted(nodes_of(link))
    polled[silent] = replace(polled[silent], facts=gone("a1"))
    polled[strange] = replace(polled[strange], facts=replace(up("a1"), flavor="mysql", version="9.7.0"))
    look()
    assert streams.readable() == set(others)


def test_rows__not_to_be_compared__no_log_is_followed(
    look: Look, polled: dict[str, Polled], streams: Streams, settings: Any
) -> None:
    settings.HAWSER_COMPARE_ROWS = False
    look()
    assert streams.wanted == {}
    assert {one.rows for one in polled.values()} == {None}
