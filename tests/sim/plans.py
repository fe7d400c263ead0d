"""Plans of every kind, made as the console's planning makes them (backend/operations/runs/planning/planner.py)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from backend.core.orphans.report import OrphanReport
from backend.core.plan import Plan
from backend.core.plans import accept_state_uuid, failover, fence_returned_side, reprotect
from tests.fakes.cluster import FakeCluster
from tests.fakes.plans import context_of, plan_accept, plan_clean, plan_relocate, plan_start
from tests.fakes.sites import plan_failback, plan_failover, plan_fence_returned, plan_reprotect, plan_switchover
from tests.sim.orphans import scan

if TYPE_CHECKING:
    from tests.sim.console import Bench


@dataclass(frozen=True, slots=True)
class Wish:
    """What an operator asks for: a kind, nodes by their number on each side, a way with orphans."""

    kind: str
    source: int | None = None
    replica: int | None = None
    way: str = reprotect.ATTACH
    attests: bool = True
    accepts_loss: bool = True
    probes: bool = True


def plan_for(bench: Bench, wish: Wish) -> Plan:
    """The plan, ready or refused."""
    return _MAKERS[wish.kind](bench, wish)


def _names(bench: Bench, wish: Wish) -> tuple[str | None, str | None]:
    sides = (bench.world.active, wish.source), (bench.world.standby, wish.replica)
    source, replica = (None if i is None else _registered(side, i) for side, i in sides)
    return source, replica


def _registered(side: FakeCluster, number: int) -> str | None:
    """The name of a node that the console knows; None leaves the choice to it."""
    node = side.nodes[number]
    return node.name if node in side.registered else None


def _more(bench: Bench, wish: Wish) -> dict[str, Any]:
    return {
        "attested_fenced": bench.attested() if wish.attests else frozenset(),
        "unfinished_run_id": bench.unfinished_id,
    }


def _relocate(bench: Bench, wish: Wish) -> Plan:
    return plan_relocate(bench.world, *_names(bench, wish), **_more(bench, wish))


def _start(bench: Bench, wish: Wish) -> Plan:
    return plan_start(bench.world, attests=wish.attests, **_more(bench, wish))


def _accept(bench: Bench, wish: Wish) -> Plan:
    del wish
    return plan_accept(bench.world, **_more(bench, Wish(accept_state_uuid.KIND)))


def _clean(bench: Bench, wish: Wish) -> Plan:
    return plan_clean(bench.world, **_more(bench, wish))


def _switchover(bench: Bench, wish: Wish) -> Plan:
    return plan_switchover(bench.world, **_more(bench, wish))


def _failback(bench: Bench, wish: Wish) -> Plan:
    return plan_failback(bench.world, **_more(bench, wish))


def _failover(bench: Bench, wish: Wish) -> Plan:
    world, more = bench.world, _more(bench, wish)
    unseen = len(bench.ledger.missing(world.active))
    seen = failover.ObservedLoss(unseen, world.clock.now_s() - 1.0, world.active.seqno)
    return plan_failover(world, seen=seen, accepts_loss=wish.accepts_loss, **more)


def _reprotect(bench: Bench, wish: Wish) -> Plan:
    world, names, more = bench.world, _names(bench, wish), _more(bench, wish)
    report = OrphanReport("not_needed", "")
    if world.divergence is not None:
        back = context_of(world, *names).pair[1].node.id
        report, book = scan(world, world.divergence, world.node(back))
        bench.books[report.scan_id] = book
    return plan_reprotect(world, wish.way, report, *names, options={"probe": wish.probes}, **more)


def _fence_returned(bench: Bench, wish: Wish) -> Plan:
    """What the console plans automatically as it sees a lost side return; refused where nothing is due."""
    del wish
    link = bench.world.facts()
    due = plan_fence_returned(bench.world)
    return due or fence_returned_side.decide(link, [], begins=[], now_s=bench.world.clock.now_s(), may_set_semi_sync={})


_MAKERS: dict[str, Callable[[Bench, Wish], Plan]] = {
    "relocate": _relocate,
    "start_channel": _start,
    "remove_stray_channel": _clean,
    "switchover": _switchover,
    "failback": _failback,
    "failover": _failover,
    "reprotect": _reprotect,
    accept_state_uuid.KIND: _accept,
    fence_returned_side.KIND: _fence_returned,
}
KINDS = tuple(kind for kind in _MAKERS if kind not in (fence_returned_side.KIND, accept_state_uuid.KIND))
"""What an operator may ask for."""
