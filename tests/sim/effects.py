"""Invariants of a single statement, judged at the very moment it takes effect on a server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from backend.core.positions import FilePosition
from tests.fakes.cluster import FakeCluster, FakeNode
from tests.fakes.rows import PREFIX as ROWS
from tests.fakes.statements import Statement, ids_of, parse_change
from tests.sim.orphans import OWN_TABLE
from tests.sim.run import SimRun

if TYPE_CHECKING:
    from tests.sim.console import Bench

ONCE = frozenset({"CHANGE", "RESET", "STOP", "START"})


@dataclass(frozen=True, slots=True)
class Effect:
    """A statement of ours about to take effect."""

    bench: Bench
    run: SimRun
    epoch: int
    node: FakeNode
    sql: str
    statement: Statement


def judge(bench: Bench, node: FakeNode, sql: str, by: tuple[str, int]) -> list[str]:
    """What is wrong with it, each sentence beginning with the invariant's number."""
    run = next(r for r in bench.runs if r.id == by[0])
    is_rows = sql.startswith(ROWS)
    effect = Effect(bench, run, by[1], node, sql, Statement("ROWS") if is_rows else parse_change(sql))
    found = [fault for check in CHECKS for fault in check(effect)]
    bench.effects.append((by, node.name, sql))
    return found


def i05_intent_first(e: Effect) -> Iterator[str]:
    """Preceded by a durable intent of this very statement."""
    intents = [s for s in e.run.memory.statements if s.node == e.node.name]
    if not any(e.statement.verb == "ROWS" or s.sql == e.sql for s in intents):
        yield f"I5: {e.sql!r} on {e.node.name} without an intent"


def i06_once(e: Effect) -> Iterator[str]:
    """A deed is done once, whatever broke off, unless an operator undid it in between."""
    times = sum(by[0] == e.run.id and (node, sql) == (e.node.name, e.sql) for by, node, sql in e.bench.effects)
    undone_on = None if e.statement.verb == "START" else e.node.name  # a lost source takes a START back
    if times and e.statement.verb in ONCE and not e.bench.meddled_since(e.run.before.tick, undone_on):
        yield f"I6: {e.sql!r} on {e.node.name} for the {times + 1}. time"


def i07_no_second_change(e: Effect) -> Iterator[str]:
    """What a run pointed and what has applied since is never pointed again by it."""
    if e.statement.verb != "CHANGE" or e.bench.meddled_since(e.run.before.tick, e.node.name):
        return
    if any(by[0] == e.run.id and node == e.node.name and sql.startswith("CHANGE") for by, node, sql in e.bench.effects):
        yield f"I7: a second CHANGE MASTER on {e.node.name} by {e.run.id}"


def i11_epochs_rise(e: Effect) -> Iterator[str]:
    """Nothing of an earlier epoch, nor of an earlier run, behind the first statement of a later one.

    But for a node that the later one left alone and named: it was dead or hung with that statement under way.
    """
    if e.bench.effects and e.node.ref.id not in e.run.left_alone:
        (last_run, last_epoch), _, _ = e.bench.effects[-1]
        if (last_run, last_epoch) > (e.run.id, e.epoch):
            yield f"I11: {e.sql!r} of {e.run.id}/{e.epoch} behind {last_run}/{last_epoch}"


def i16_as_planned(e: Effect) -> Iterator[str]:
    """Only nodes and statements of the plan (I30: what was shown is what is sent)."""
    if e.statement.verb == "ROWS":
        return
    steps = [s for s in e.run.plan.steps if s.node == e.node.name]
    texts = [sql for s in steps for sql in (*s.sql, *s.undo)]
    if not any(_shape(e.sql) == _shape(text) for text in texts):
        yield f"I16: {e.sql!r} on {e.node.name} is not in the plan"


def _shape(sql: str) -> str:
    """Without what is known only in the run: positions, the probe's token, one thread of two."""
    sql = re.sub(r"MASTER_LOG_FILE='[^']*'|MASTER_LOG_POS=[^,\s]+|gtid_slave_pos='[^']*'", "?", sql)
    sql = re.sub(r"VALUES \(.*", "VALUES ?", sql)
    return re.sub(r" (IO_THREAD|SQL_THREAD)$", "", sql)


def i17_loop_guard(e: Effect) -> Iterator[str]:
    """A channel ignores every server_id of its own cluster, and comes from the other."""
    if e.statement.verb != "CHANGE":
        return
    parts, own = e.statement.parts or {}, e.bench.world.cluster_of(e.node)
    if not set(own.server_ids) <= set(ids_of(parts["IGNORE_SERVER_IDS"])):
        yield f"I17: {e.node.name} does not ignore all of {own.server_ids}"
    if _source(e) is None:
        yield f"I17: {e.node.name} is pointed at {parts['MASTER_HOST']}, which is no node of the other side"


def _source(e: Effect) -> FakeNode | None:
    parts = e.statement.parts or {}
    return e.bench.world.opposite(e.node).node_at((parts["MASTER_HOST"], int(parts["MASTER_PORT"])))


def i20_no_lost_source(e: Effect) -> Iterator[str]:
    """A side that was lost is no source before it is reconciled."""
    divergence = e.bench.world.divergence
    if divergence is None or divergence.is_reconciled:
        return
    if e.statement.verb == "CHANGE" and e.bench.world.opposite(e.node).id == divergence.lost_cluster_id:
        yield f"I20: {e.node.name} is pointed at the invalidated side"


def i03_right_place(e: Effect) -> Iterator[str]:
    """A channel resumes exactly behind what the receiving side holds, told by following every transaction."""
    parts = e.statement.parts or {}
    source = _source(e) if e.statement.verb == "CHANGE" else None
    if source is None:
        return
    side, ledger = e.bench.world.cluster_of(source), e.bench.ledger
    if "MASTER_LOG_FILE" not in parts:
        _settle_orphans(e, source, side, source.log.end)  # by GTID: the position was set before, at the undo's end
        return
    position = FilePosition(parts["MASTER_LOG_FILE"], int(parts["MASTER_LOG_POS"]))
    _settle_orphans(e, source, side, position)
    held = [p.txn.uid for p in source.log.held_before(position) if p.txn.server_id in side.server_ids]
    before = [uid for uid in held if uid in set(ledger.written(side))]
    got = [uid for uid in ledger.received(side) if uid not in ledger.resolved]
    if before != got and not e.bench.meddled_since(e.run.intended_tick):
        lost, doubled = sorted(set(before) - set(got)), sorted(set(got) - set(before))
        yield f"I3: {e.node.name} resumes at {position} of {source.name}: lost {lost} doubled {doubled}"


def i03_started_there(e: Effect) -> Iterator[str]:
    """What a run pointed is started exactly behind what the receiving side holds by then."""
    pointed = any(s.node == e.node.name and s.sql.startswith("CHANGE") for s in e.run.memory.statements)
    channel = e.node.channels.get(e.statement.name)
    if e.statement.verb != "START" or not pointed or channel is None or e.bench.world.has_gtid_channels:
        return
    side = e.bench.world.opposite(e.node)
    source = side.node_at(channel.source)
    if source is None or e.bench.meddled_since(e.run.intended_tick):
        return
    held = {p.txn.uid for p in source.log.held_before(channel.position)} & set(e.bench.ledger.written(side))
    doubled = set(e.bench.ledger.received(side)) - e.bench.ledger.resolved - held
    if doubled:
        yield f"I3: {e.node.name} is started at {channel.position} of {source.name}: doubles {sorted(doubled)}"


def i03_goes_on_there(e: Effect) -> Iterator[str]:
    """What is started where it stands has the end of what the receiving side holds as its own place."""
    is_in_place = any(s.code == "resume_channel" and s.node == e.node.name for s in e.run.plan.steps)
    channel = e.node.channels.get(e.statement.name)
    if e.statement.verb != "START" or not is_in_place or channel is None or e.bench.world.has_gtid_channels:
        return
    side, ledger = e.bench.world.opposite(e.node), e.bench.ledger
    source = side.node_at(channel.source)
    if source is None or source.log.forgotten or e.bench.meddled_since(e.run.intended_tick):
        return
    own = [p.txn.uid for p in source.log.held_before(channel.position) if p.txn.server_id in side.server_ids]
    held, got = set(own) & set(ledger.written(side)), set(ledger.received(side)) - ledger.resolved
    if held - ledger.resolved != got:
        lost, doubled = sorted(held - ledger.resolved - got), sorted(got - held)
        yield f"I3: {e.node.name} goes on at {channel.position} of {source.name}: leaves out {lost} doubles {doubled}"


def _settle_orphans(e: Effect, source: FakeNode, side: FakeCluster, position: FilePosition) -> None:
    """Behind an undo what stands before the log's end was dealt with; all of it, and nothing else."""
    step = next((s for s in e.run.plan.steps if s.code == "undo_orphans"), None)
    if step is None or step.node != source.name:
        return
    book = e.bench.books[step.params["scan_id"]]
    listed = [int(str(change.after[0])) for one in book.transactions for change in one.rows if change.after]
    missing = set(e.bench.ledger.missing(side))
    own = [p.txn.uid for p in source.log.placed if p.end <= position and p.txn.table == OWN_TABLE]
    gone = set(listed) - set(e.bench.ledger.rows(side))
    e.bench.ledger.resolve(side, [*gone, *missing.intersection(own)])


def i02_one_channel(e: Effect) -> Iterator[str]:
    """Nothing is started beside a running channel of that direction that a look could show.

    Another operator may begin one between that look and the statement; one from a server of no cluster carries nothing.
    """
    if e.statement.verb != "START":
        return
    side = e.bench.world.cluster_of(e.node)
    meddled = {node for at, node, _ in e.bench.meddled if at >= e.run.intended_tick}
    for node in side.nodes:
        ours = [c for c in node.channels.values() if e.bench.world.opposite(node).node_at(c.source) is not None]
        running = [c for c in ours if c.is_running and node.is_member]
        if node is not e.node and node.is_up and running and node.name not in meddled:
            yield f"I2: {e.node.name} is started while {node.name} runs"


CHECKS: tuple[Callable[[Effect], Iterator[str]], ...] = (
    i02_one_channel,
    i03_right_place,
    i03_started_there,
    i03_goes_on_there,
    i05_intent_first,
    i06_once,
    i07_no_second_change,
    i11_epochs_rise,
    i16_as_planned,
    i17_loop_guard,
    i20_no_lost_source,
)
