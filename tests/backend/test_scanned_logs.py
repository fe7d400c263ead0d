"""A scan is renewed only where nothing was written since: on every node, in the very same log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from backend.core.binlog.events import Cursor
from backend.core.binlog.logs import log_of
from backend.core.orphans.scan import DivergedLog, measure
from backend.core.topology import ClusterFacts, NodeFacts
from backend.transactions.orphans.scanned_logs import ScannedLog, scanned_log, unchanged_logs
from tests.fakes.gateway import FakeGateway
from tests.fakes.world import FakeWorld

PROBE = "PROBE l_1 undo d:1"


class Scan:
    """Three transactions on the lost side, and every node's log as a scan reads it."""

    def __init__(self) -> None:
        self.world = FakeWorld()
        self.world.write_times(3, "a1")
        self.gateway = FakeGateway(self.world)
        self.stored = [self._read(node) for node in self.lost_side().nodes]

    def lost_side(self) -> ClusterFacts:
        """As it is now."""
        link = self.gateway.observe_link()
        return next(side for side in (link.active, link.standby) if side.id == self.world.a.id)

    def _read(self, node: NodeFacts) -> ScannedLog:
        log = DivergedLog(self.world.node(node.node.name).log.start, "test")
        measure(Cursor(log_of(self.gateway.reader(node.node.id), node)), log, self.world.b.server_ids)
        return scanned_log(node.node.id, log)

    def unchanged(self, stored: list[ScannedLog] | None = None) -> Sequence[ScannedLog]:
        """What of the stored logs, or of these, still holds."""
        return unchanged_logs(self.lost_side(), self.stored if stored is None else stored, self.gateway)  # type: ignore[arg-type]

    def unchanged_with(self, **changes: str) -> Sequence[ScannedLog]:
        """The same of the stored logs with other values."""
        return self.unchanged([replace(one, **changes) for one in self.stored])


def test_unchanged__nothing_written__the_same_logs() -> None:
    scan = Scan()
    assert list(scan.unchanged()) == scan.stored


def test_unchanged__only_the_console_wrote__their_ends_of_now() -> None:
    scan = Scan()
    scan.world.write("a1", PROBE, table="hawser.probe")
    found = scan.unchanged()
    assert len(found) == len(scan.stored)
    assert [one.ends for one in found] != [one.ends for one in scan.stored]


def test_unchanged__one_more_write__read_anew() -> None:
    scan = Scan()
    scan.world.write("a1")
    assert scan.unchanged() == ()


def test_unchanged__scan_that_found_no_group__read_anew() -> None:
    assert Scan().unchanged_with(last_begin="", last_content="") == ()


def test_unchanged__another_log_of_the_same_names__read_anew() -> None:
    assert Scan().unchanged_with(last_content="f" * 64) == ()


def test_unchanged__another_node_can_be_read_now_or_none_was_stored__read_anew() -> None:
    scan = Scan()
    for fewer in (scan.stored[:-1], []):
        assert scan.unchanged(fewer) == ()


def test_unchanged__log_purged_or_node_gone__read_anew() -> None:
    assert Scan().unchanged_with(last_begin="binlog.999999:4", ends="binlog.999999:4") == ()
