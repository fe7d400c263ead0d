"""Where the clusters diverge, found in a returned node's own log; what is not certain is unknown, never guessed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import foreign_to, read_groups
from backend.core.link_facts import Divergence
from backend.core.orphans import scan
from backend.core.orphans.new_writes import orphans_since
from backend.core.orphans.scan import (
    DivergedLog,
    UnknownDivergenceError,
    divergence_point,
    measure,
    split_at_divergence,
)
from backend.core.orphans.transactions import is_trivial
from backend.core.stream_account import Fault, Unaccounted
from tests.fakes.log import FakeLog
from tests.fakes.transactions import Txn
from tests.fakes.world import FakeWorld

SEAM = 8


def failed_over(*, last: str = "dml") -> tuple[FakeWorld, Divergence]:
    """B holds all of A up to here; `last` is the kind of the last group it holds."""
    world = FakeWorld.classic()
    world.write("a3", kind=last)
    for _ in range(3):
        world.tick()
    log = world.node("a1").log
    stream = [p for p in log.placed if p.txn.server_id in world.a.server_ids]
    groups = {g.end_position: g for g in read_groups(Cursor(log).events_from(log.start))}
    numbered = [p for p in stream if p.xid is not None]
    divergence = Divergence(
        lost_cluster_id=world.a.id,
        survivor_cluster_id=world.b.id,
        lost_state_uuid=world.a.uuid,
        at_s=world.clock.now_s(),
        run_id="r_1",
        source_node_id="n_a1",
        applied_file=stream[-1].end.file,
        applied_offset=stream[-1].end.offset,
        applied_seqno=numbered[-1].xid,
        applied_trailing=len(stream) - 1 - stream.index(numbered[-1]),
        seam=tuple(groups[p.end].content for p in stream[-SEAM:]),
    )
    world.kill("b1")  # nothing of A reaches B any more
    world.node("b1").channels.clear()
    return world, divergence


def found(world: FakeWorld, divergence: Divergence, node: str = "a1") -> DivergedLog:
    """Ask one node."""
    return split_at_divergence(Cursor(world.node(node).log), divergence, world.b.server_ids, node_id=f"n_{node}")


def uids(world: FakeWorld, diverged: DivergedLog, node: str = "a1") -> list[int]:
    """Which transactions were called orphans."""
    ends = {p.end: p.txn.uid for p in world.node(node).log.placed}
    return [ends[g.end_position] for g in diverged.orphans]


def orphan(world: FakeWorld) -> list[int]:
    """Some transactions that B never receives, groups of B between them."""
    made = [world.write("a1").uid, world.write("a2").uid]
    world.a.commit(world.txn("b2"))  # arrived by the old reverse channel
    return [*made, world.write("a3", kind="ddl", statement="ALTER TABLE shop.orders ADD c INT").uid]


def measured_apart(of: Any) -> bool:
    """Whether two logs with as many orphans, but others, are distinguished by what `of` measures."""
    logs = []
    for statement in ("UPDATE a SET n=1", "UPDATE b SET n=1"):
        world, divergence = failed_over()
        world.write("a1", statement=statement)
        cursor = Cursor(world.node("a1").log)
        log = of.DivergedLog(*of.divergence_point(cursor, divergence, world.b.server_ids, node_id="n_a1"))
        of.measure(cursor, log, world.b.server_ids)
        assert log.count == 1
        logs.append(log)
    return not logs[0].contents.is_same(logs[1].contents)


def test_measure__as_many_orphans_but_others__told_apart() -> None:
    assert measured_apart(scan)


def test_measure__changes_of_definitions__gathered_without_accounts_and_the_consoles_own() -> None:
    world, divergence = failed_over()
    change = "ALTER TABLE shop.orders ADD c INT"
    taken_back = "ALTER TABLE `shop`.`orders` DROP COLUMN `c` /* hawser undo */"
    for statement in (change, "GRANT SELECT ON shop.* TO x", taken_back, "CREATE DATABASE IF NOT EXISTS hawser"):
        world.write("a1", kind="ddl", statement=statement)
    cursor = Cursor(world.node("a1").log)
    log = DivergedLog(*divergence_point(cursor, divergence, world.b.server_ids, node_id="n_a1"))
    measure(cursor, log, world.b.server_ids)
    assert [text.rpartition("; ")[2] for text in log.schema_changes] == [change]
    assert not [group for group in orphans_since(cursor, log.begins, world.b.server_ids) if "undo" in group.summary]


def test_measure__counts_what_is_no_statement_about_accounts_and_where_the_log_ends() -> None:
    world, divergence = failed_over()
    expected = orphan(world)
    world.write("a1", kind="ddl", statement="GRANT SELECT ON shop.* TO x")
    cursor = Cursor(world.node("a1").log)
    log = DivergedLog(*scan.divergence_point(cursor, divergence, world.b.server_ids, node_id="n_a1"))
    scan.measure(cursor, log, world.b.server_ids)
    assert (log.count, log.accounts) == (len(expected), 1)
    assert log.ends == world.node("a1").log.end
    assert log.orphans == ()


@pytest.mark.parametrize("last", ["dml", "ddl"])
@pytest.mark.parametrize("node", ["a1", "a2", "a3"])
def test_part__orphans_behind_the_point__exactly_those_of_the_lost_side(node: str, last: str) -> None:
    world, divergence = failed_over(last=last)
    expected = orphan(world)
    assert uids(world, found(world, divergence, node), node) == expected


def passed_over(kind: str) -> tuple[FakeWorld, Divergence]:
    """B holds all of A up to here but for the last transaction but one, which its channel passed."""
    world = FakeWorld.classic()
    left_out = world.write("a2", kind=kind)
    world.write("a3")
    for _ in range(3):
        world.tick()
    log = world.node("a1").log
    stream = [p for p in log.placed if p.txn.server_id in world.a.server_ids]
    groups = {g.end_position: g for g in read_groups(Cursor(log).events_from(log.start))}
    held = [groups[p.end] for p in stream if p.txn.uid != left_out.uid]
    group = next(groups[p.end] for p in stream if p.txn.uid == left_out.uid)
    _, divergence = failed_over()
    divergence = replace(
        divergence,
        applied_file=stream[-1].end.file,
        applied_offset=stream[-1].end.offset,
        applied_seqno=stream[-1].xid,
        applied_trailing=0,
        seam=tuple(one.content for one in held[-SEAM:]),
        passed_over=(Unaccounted(Fault.MISSING, "n_a1", group.gtid_text, group.xid, 12, "a:4", "a:5", 0.0),),
    )
    world.kill("b1")
    world.node("b1").channels.clear()
    return world, divergence


@pytest.mark.parametrize("node", ["a1", "a2", "a3"])
def test_part__a_transaction_that_the_channel_passed__the_others_are_the_seam(node: str) -> None:
    world, divergence = passed_over("dml")
    expected = orphan(world)
    assert uids(world, found(world, divergence, node), node) == expected
    other = replace(divergence, applied_offset=None, applied_seqno=None)
    assert uids(world, found(world, other, node), node) == expected


def test_part__a_ddl_that_the_channel_passed__known_in_the_log_in_which_it_was_seen() -> None:
    world, divergence = passed_over("ddl")
    expected = orphan(world)
    assert uids(world, found(world, divergence)) == expected


@pytest.mark.parametrize("kind", ["dml", "ddl"])
def test_part__a_transaction_that_is_not_known_to_be_passed__unknown(kind: str) -> None:
    world, divergence = passed_over(kind)
    with pytest.raises(UnknownDivergenceError, match="are not those that the survivor had"):
        found(world, replace(divergence, passed_over=()))


@pytest.mark.parametrize("last", ["dml", "ddl"])
def test_part__nothing_written_since__none(last: str) -> None:
    world, divergence = failed_over(last=last)
    assert found(world, divergence).orphans == ()


def test_part__source_is_back__told_by_its_coordinates_else_by_seqno_else_by_content() -> None:
    world, divergence = failed_over()
    assert "own position" in found(world, divergence, "a1").found_by
    assert "seqno" in found(world, divergence, "a2").found_by
    alone = replace(divergence, applied_seqno=None)
    assert "exactly once" in found(world, alone, "a2").found_by


def test_part__applied_ends_behind_the_head_of_a_new_file__found() -> None:
    world, divergence = failed_over()
    log = world.node("a1").log
    log.rotate()
    moved = replace(divergence, applied_file=log.end.file, applied_offset=log.end.offset, applied_seqno=None)
    expected = orphan(world)
    diverged = found(world, moved)
    assert "own position" in diverged.found_by
    assert uids(world, diverged) == expected


def test_part__rotated_since__orphans_of_all_files() -> None:
    world, divergence = failed_over()
    expected = orphan(world)
    world.node("a1").log.rotate()
    expected += orphan(world)
    assert uids(world, found(world, divergence)) == expected


def test_part__point_purged__unknown_by_name() -> None:
    world, divergence = failed_over()
    world.node("a1").log.rotate()
    orphan(world)
    world.node("a1").log.purge(9)
    with pytest.raises(UnknownDivergenceError, match=r"no longer retained.*its log does not hold the last"):
        found(world, divergence)


def test_part__log_lost_its_tail__unknown() -> None:
    world, divergence = failed_over()
    other = FakeLog(number=7, server_id=11)
    for placed in world.node("a1").log.placed[:-1]:
        other.append(placed.txn, placed.xid, placed.gtid)
    with pytest.raises(UnknownDivergenceError):
        split_at_divergence(Cursor(other), divergence, world.b.server_ids, node_id="n_a1")


def test_part__no_seam__unknown() -> None:
    world, divergence = failed_over()
    with pytest.raises(UnknownDivergenceError, match="had no transaction of this side"):
        found(world, replace(divergence, seam=()))


def test_part__identical_groups_and_no_number__ambiguous_and_refused() -> None:
    log = FakeLog(server_id=11)
    for n in range(30):
        log.append(Txn(n, 11, "UPDATE t SET x=x+1"), 100 + n)
    groups = list(read_groups(Cursor(log).events_from(log.start)))
    seam = tuple(g.content for g in groups[-SEAM:])
    divergence = Divergence("c_a", "c_b", None, 0.0, seam=seam)
    with pytest.raises(UnknownDivergenceError, match="occur 23 times"):
        split_at_divergence(Cursor(log), divergence, (21,), node_id="n_a1")


def test_part__same_number_in_another_history__content_decides() -> None:
    world, divergence = failed_over()
    wrong = replace(divergence, applied_seqno=(divergence.applied_seqno or 0) - 3, applied_file=None)
    expected = orphan(world)
    diverged = found(world, wrong)
    assert "exactly once" in diverged.found_by
    assert uids(world, diverged) == expected


def test_part__unknown_event_behind_the_point__unknown() -> None:
    world, divergence = failed_over()
    orphan(world)
    world.node("a1").log.put_event("Novel_event")
    with pytest.raises(UnknownDivergenceError, match="cannot be read to the end"):
        found(world, divergence)


def test_new_writes__of_an_application__distinguished_from_our_own() -> None:
    world, _ = failed_over()
    log = world.node("a1").log
    ends = log.end
    world.write("a1", "PROBE r_1 undo x:1", table="hawser.probe")
    world.write("a1", "FLUSH TABLES shop.orders", kind="ddl")
    assert orphans_since(Cursor(log), ends, world.b.server_ids) == []
    world.write("a2")
    assert len(orphans_since(Cursor(log), ends, world.b.server_ids)) == 1


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("analyze table t", True),
        ("ALTER TABLE t ADD c INT", False),
        ("DROP TABLE flush", False),
    ],
)
def test_is_trivial__statement_without_a_trace__passed_over(statement: str, *, expected: bool) -> None:
    log = FakeLog(server_id=11)
    log.append(Txn(1, 11, statement, kind="ddl"), None)
    (group,) = read_groups(Cursor(log).events_from(log.start))
    assert is_trivial(group) is expected
    assert foreign_to((21,))(group)
