"""A scan is renewed only where nothing was written since: on every node, in the very same log."""

from __future__ import annotations

from dataclasses import replace

from backend.core.binlog.events import Cursor
from backend.core.binlog.logs import log_of
from backend.core.orphans.scan import DivergedLog, measure
from backend.core.topology import ClusterFacts
from backend.orphans.scanned_logs import ScannedLog, scanned_log, unchanged_logs
from tests.fakes.gateway import FakeGateway
from tests.fakes.world import FakeWorld

PROBE = "PROBE l_1 undo d:1"


def lost_side(world: FakeWorld, gateway: FakeGateway) -> ClusterFacts:
    return next(
        side for side in (gateway.observe_link().active, gateway.observe_link().standby) if side.id == world.a.id
    )


def read_to_the_end(world: FakeWorld, gateway: FakeGateway) -> list[ScannedLog]:
    """Every node's log, as a scan reads it."""
    stored = []
    for node in lost_side(world, gateway).nodes:
        cursor = Cursor(log_of(gateway.reader(node.node.id), node))
        log = DivergedLog(world.node(node.node.name).log.start, "test")
        measure(cursor, log, world.b.server_ids)
        stored.append(scanned_log(node.node.id, log))
    return stored


def written() -> FakeWorld:
    """Three transactions on the lost side."""
    made = FakeWorld()
    for _ in range(3):
        made.write("a1")
    return made


def test_unchanged__nothing_written__the_same_logs() -> None:
    world = written()
    gateway = FakeGateway(world)
    stored = read_to_the_end(world, gateway)
    assert list(unchanged_logs(lost_side(world, gateway), stored, gateway)) == stored  # type: ignore[arg-type]


def test_unchanged__only_the_console_wrote__their_ends_of_now() -> None:
    world = written()
    gateway = FakeGateway(world)
    stored = read_to_the_end(world, gateway)
    world.write("a1", PROBE, table="hawser.probe")
    found = unchanged_logs(lost_side(world, gateway), stored, gateway)  # type: ignore[arg-type]
    assert len(found) == len(stored)
    assert [one.ends for one in found] != [one.ends for one in stored]


def test_unchanged__one_more_write__read_anew() -> None:
    world = written()
    gateway = FakeGateway(world)
    stored = read_to_the_end(world, gateway)
    world.write("a1")
    assert unchanged_logs(lost_side(world, gateway), stored, gateway) == ()  # type: ignore[arg-type]


def test_unchanged__scan_that_found_no_group__read_anew() -> None:
    world = written()
    gateway = FakeGateway(world)
    stored = [replace(one, last_begin="", last_content="") for one in read_to_the_end(world, gateway)]
    assert unchanged_logs(lost_side(world, gateway), stored, gateway) == ()  # type: ignore[arg-type]


def test_unchanged__another_log_of_the_same_names__read_anew() -> None:
    world = written()
    gateway = FakeGateway(world)
    stored = [replace(one, last_content="f" * 64) for one in read_to_the_end(world, gateway)]
    assert unchanged_logs(lost_side(world, gateway), stored, gateway) == ()  # type: ignore[arg-type]


def test_unchanged__another_node_can_be_read_now_or_none_was_stored__read_anew() -> None:
    world = written()
    gateway = FakeGateway(world)
    stored = read_to_the_end(world, gateway)
    for fewer in (stored[:-1], []):
        assert unchanged_logs(lost_side(world, gateway), fewer, gateway) == ()  # type: ignore[arg-type]


def test_unchanged__log_purged_or_node_gone__read_anew() -> None:
    world = written()
    gateway = FakeGateway(world)
    stored = read_to_the_end(world, gateway)
    gone = [replace(one, last_begin="binlog.999999:4", ends="binlog.999999:4") for one in stored]
    assert unchanged_logs(lost_side(world, gateway), gone, gateway) == ()  # type: ignore[arg-type]
