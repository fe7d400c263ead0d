"""Random worlds for the locator, and the brute force it is measured against."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from backend.core.locate.model import Located, Search
from backend.core.locate.requests import LocateRequest
from backend.core.locate.search_inputs import build_search
from backend.core.plans.context import locate_requests
from backend.core.positions import MariadbGtidSet
from backend.core.topology import Direction
from tests.core.builders.log_histories import A_NODES, B_NODES, CLEAR_OPS, NODES, RICH_OPS, SPOILING_OPS, Op, apply_rich
from tests.fakes.cluster import FakeNode
from tests.fakes.gateway import FakeGateway
from tests.fakes.gtid_start import beginning
from tests.fakes.journal import FakeCheckpoint
from tests.fakes.log import Placed
from tests.fakes.log_settings import SETTINGS
from tests.fakes.plans import context_of, locate_with
from tests.fakes.world import FakeWorld

REPEATED = ("UPDATE counters SET n=n+1 WHERE id=1", "UPDATE counters SET n=n+1 WHERE id=2")
HUGE = {"row_events": 5, "row_bytes": 10**9}
"""Five events of 1 GB: one transaction is never split over two files."""
_CHECKSUMS_OFF = ((), (), (), A_NODES + B_NODES, B_NODES, ("a2", "b3"))
_LOG_SETTINGS = (
    (),
    (),
    (),
    tuple((name, "minimal") for name in A_NODES),
    (("a2", "minimal"), ("b1", "minimal")),
    tuple((name, "compressed") for name in B_NODES),
    (("a1", "compressed"), ("b2", "compressed"), ("a3", "metadata")),
    (("b1", "no texts"), ("a2", "metadata")),
    (*((name, "minimal") for name in A_NODES), *((name, "no texts") for name in B_NODES)),
)
"""(node, setting): an everyday mixture of servers, most of them as they are shipped."""
_CRASHES = st.tuples(
    st.just("crash"),
    st.sampled_from(("b1", "a1")),
    st.sampled_from("0124"),
    st.sampled_from(("", "starts", "receives")),
)
_PLAIN_OPS = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(A_NODES)),
    st.tuples(st.just("write"), st.sampled_from(A_NODES)),
    st.tuples(st.just("again"), st.sampled_from(A_NODES), st.sampled_from(REPEATED)),
    st.tuples(st.just("ddl"), st.sampled_from(A_NODES)),
    st.tuples(st.just("other"), st.sampled_from(A_NODES)),
    st.tuples(st.just("write"), st.sampled_from(B_NODES)),
    st.tuples(st.just("local"), NODES),
    st.tuples(st.just("rotate"), NODES),
    st.tuples(st.just("hole"), st.sampled_from(("a", "b"))),
    st.tuples(st.just("relay"), st.sampled_from(("b1", "a1"))),
    st.tuples(st.just("tick")),
    st.tuples(st.just("tick")),
    st.tuples(st.just("remember")),
    _CRASHES,
)
_OPS = _PLAIN_OPS | st.tuples(st.just("lie"), NODES, st.integers(-40, 40).map(str), st.integers(0, 30).map(str))
_CLEAR_OPS = st.one_of(
    *(st.tuples(st.just(what), st.sampled_from(A_NODES)) for what in ("write", "write", "ddl", "other")),
    st.tuples(st.just("write"), st.sampled_from(B_NODES)),
    *(st.tuples(st.just(what), NODES) for what in ("rotate", "rotate")),
    st.tuples(st.just("hole"), st.sampled_from(("a", "b"))),
    *(st.just((what,)) for what in ("tick", "tick", "tick", "remember")),
    _CRASHES,
    CLEAR_OPS,
    CLEAR_OPS,
)
_MIXED_OPS = st.one_of(_PLAIN_OPS, _PLAIN_OPS, RICH_OPS)
_SPOILED_OPS = st.one_of(_OPS, _PLAIN_OPS, RICH_OPS, SPOILING_OPS)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a world came to be; printed by hypothesis where a property fails."""

    ops: tuple[Op, ...]
    after: tuple[Op, ...]
    shift: int
    has_gtid_mode: bool
    lost: tuple[str, ...]
    purged: tuple[tuple[str, int], ...]
    source: str
    replica: str
    is_stopped: bool
    no_checksums: tuple[str, ...] = ()
    has_gtid_channels: bool = False
    log_settings: tuple[tuple[str, str], ...] = ()


@st.composite
def recipes(draw: st.DrawFn, *, is_rich: bool = False) -> Recipe:
    """Any history, any loss that leaves a node on each side, any pair of survivors.

    `is_rich`: with all that makes logs hard to read, too (rich_ops; mixed checksums) and with links by GTID.
    """
    ops = draw(st.sampled_from((_CLEAR_OPS, _MIXED_OPS, _SPOILED_OPS))) if is_rich else _OPS
    least = draw(st.sampled_from((4, 12, 24))) if is_rich else 4
    source, replica = draw(st.sampled_from(A_NODES)), draw(st.sampled_from(B_NODES))
    rest = [n for n in A_NODES + B_NODES if n not in (source, replica)]
    return Recipe(
        ops=tuple(draw(st.lists(ops, min_size=least, max_size=40))),
        after=tuple(draw(st.lists(ops, max_size=10))),
        shift=draw(st.sampled_from((0, 0, 1, 2, 5))),
        has_gtid_mode=draw(st.booleans()),
        lost=tuple(draw(st.lists(st.sampled_from(rest), unique=True, max_size=4))),
        purged=tuple(draw(st.lists(st.tuples(NODES, st.integers(1, 3)), max_size=2))),
        source=source,
        replica=replica,
        is_stopped=draw(st.booleans()),
        no_checksums=draw(st.sampled_from(_CHECKSUMS_OFF)) if is_rich else (),
        has_gtid_channels=is_rich and draw(st.sampled_from((False, False, True))),
        log_settings=draw(st.sampled_from(_LOG_SETTINGS)) if is_rich else (),
    )


def build(recipe: Recipe) -> FakeWorld:
    """The world a recipe describes."""
    world = FakeWorld(has_gtid_mode=recipe.has_gtid_mode, has_gtid_channels=recipe.has_gtid_channels)
    world.node("a1").gtid_seq += recipe.shift
    for name in recipe.no_checksums:
        log = world.node(name).log
        log.dress = replace(log.dress, has_checksums=False)
    for name, setting in recipe.log_settings:
        SETTINGS[setting](world.node(name))
    world.connect_both_ways()
    for op in recipe.ops:
        apply(world, op)
    for node in recipe.lost:
        world.kill(node)
    for op in recipe.after:
        if op[1:] == () or op[1] not in recipe.lost:
            apply(world, op)
    for node, count in recipe.purged:
        world.node(node).log.purge(count)
    if recipe.is_stopped:
        still(world)
    return world


def apply(world: FakeWorld, op: Op) -> None:
    """One thing that happens."""
    what, where = op[0], op[1] if len(op) > 1 else ""
    if what in ("write", "again", "ddl", "other"):
        kind = what if what in ("ddl", "other") else "dml"
        statement = op[2] if what == "again" else f"ALTER TABLE t{world.ticks} ADD c INT" if what == "ddl" else None
        world.write(where, statement, kind=kind)
    elif what == "local":
        world.write_local(world.node(where).name)
    elif what == "rotate":
        world.node(where).log.rotate()
    elif what == "hole":
        (world.a if where == "a" else world.b).seqno += 3
    elif what == "relay":
        for channel in world.node(where).channels.values():
            channel.open_relay()
    elif what == "tick":
        world.tick()
    elif what == "remember":
        world.remember()
    elif what == "crash":
        _crash(world, where, *op[2:])
    elif what == "lie":
        _lie(world, *op[1:])
    else:
        apply_rich(world, *op)


def _crash(world: FakeWorld, name: str, groups: str, then: str) -> None:
    world.crash(name, int(groups), starts=then == "starts")
    if then == "receives":  # START SLAVE IO_THREAD
        for channel in world.node(name).channels.values():
            channel.io = "Yes"


def _lie(world: FakeWorld, name: str, by: str, back: str) -> None:
    """A hint in the journal whose seqno is wrong; its position is a boundary, as a server gave it."""
    node = world.node(name)
    placed = node.log.placed
    if placed:
        cluster = world.cluster_of(node)
        at = placed[max(0, len(placed) - 1 - int(back))]
        seqno = max(0, (at.xid or cluster.seqno) + int(by))
        world.journal.add(FakeCheckpoint(node.ref.id, cluster.uuid, at.end, seqno, world.clock.now_s(), exact=False))


def ask(world: FakeWorld, source: str, replica: str) -> list[tuple[LocateRequest, Located]]:
    """Locate both directions of a move onto that pair."""
    ctx = context_of(world, source, replica)
    find = locate_with(world, FakeGateway(world, moves=False))
    return [(q, find(q, ctx.link)) for q in locate_requests(ctx.moves)]


def wrong(world: FakeWorld, located: Located) -> str | None:
    """What would be lost or applied twice by resuming there; None where it is right."""
    source = world.node(located.node_id)
    return next(filter(None, (_differs(world, located, held) for held in _held(source, located))), None)


def _held(source: FakeNode, located: Located) -> Iterator[list[Placed]]:
    """What the source would not send again, by each form of the answer."""
    assert located.position is not None
    log = source.log
    yield log.held_before(located.position)
    if "gtid_position" in located.facts:
        asked = MariadbGtidSet.parse(located.facts["gtid_position"])
        begun = beginning(log, asked, source.slave_pos, source.server_id)
        assert begun is not None, "a source is asked for a place that its own log told"
        yield log.forgotten + [p for p in log.placed if not begun.sends(p)]


def _differs(world: FakeWorld, located: Located, held: list[Placed]) -> str | None:
    written, got = world.source_cluster(located.direction), world.received(located.direction)
    ids, stream = written.server_ids, written.uids - (world.skipped - set(got))
    before = [p.txn.uid for p in held if p.txn.server_id in ids and p.txn.uid in stream]
    if sorted(before) == sorted(got):
        return None
    return f"{located.direction} lost {sorted(set(before) - set(got))} doubled {sorted(set(got) - set(before))}"


def forward_search(world: FakeWorld) -> Search:
    """What the locator is given for the forward direction of a move to a2 and b2."""
    ctx = context_of(world, "a2", "b2")
    question = next(q for q in locate_requests(ctx.moves) if q.direction is Direction.FORWARD)
    return build_search(question, ctx.link, FakeGateway(world), world.journal)


def forward(answers: list[tuple[LocateRequest, Located]]) -> Located:
    """The forward answer."""
    return next(located for q, located in answers if q.direction is Direction.FORWARD)


def stall(world: FakeWorld, node: str) -> None:
    """The node's channel commits what it has, but its own bookkeeping stays behind, as when its disk fails."""
    channel = next(iter(world.node(node).channels.values()))
    before = channel.position
    world.tick()
    now_s = world.clock.now_s()
    stuck = []
    for record in world.recorded:
        if record.replica_node_id == world.node(node).ref.id:
            facts = replace(record.channel, exec_file=before.file, exec_offset=before.offset)
            record = replace(record, channel=facts, observed_at_s=now_s + 5)  # noqa: PLW2901 - the stuck view of it
        stuck.append(record)
    world.recorded = stuck


def both(world: FakeWorld, source: str, replica: str) -> tuple[Located, Located]:
    """Forward and reverse answers, each right where it is proven."""
    answers = [located for _, located in ask(world, source, replica)]
    for located in answers:
        assert not located.is_proven or wrong(world, located) is None
    first, second = sorted(answers, key=lambda a: a.direction is Direction.REVERSE)
    return first, second


def still(world: FakeWorld) -> FakeWorld:
    """All channels stopped."""
    for node in world.nodes:
        for channel in node.channels.values():
            channel.io = channel.sql = "No"
    return world


def huge_last() -> FakeWorld:
    """A huge transaction is the last of its file on every node of the source's side."""
    world = FakeWorld().connect_both_ways()
    world.write_times(12, "a3")
    world.tick()
    world.remember()
    world.write("a3", **HUGE)
    return world
