"""Channels in GTID mode: the position set is the source's own, proven, compared on every node, in both strict modes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backend.core.binlog.window import Window
from backend.core.checks.gtid import check_gtid_mode
from backend.core.dialects.base import DialectError
from backend.core.dialects.mariadb import MariadbDialect
from backend.core.dialects.mysql import MysqlDialect
from backend.core.dialects.quoting import gtids
from backend.core.locate.evidence import Evidence, Family
from backend.core.locate.last_applied import LastApplied
from backend.core.locate.model import Located
from backend.core.locate.results import shifted_gtid
from backend.core.plan import Step
from backend.core.positions import MariadbGtid, MariadbGtidSet
from tests.core.builders.worlds import ask, forward, wrong
from tests.fakes.cluster import FakeNode
from tests.fakes.driver import assert_whole, run_to_end
from tests.fakes.gateway import FakeGateway
from tests.fakes.plans import context_of, plan_relocate, sound
from tests.fakes.transactions import Relogging, Txn
from tests.fakes.world import FakeWorld

A, B = ord("a"), ord("b")


def gtid_world(*, is_strict: bool = False) -> FakeWorld:
    """Both clusters number cluster-wide; channels follow GTIDs."""
    world = FakeWorld.classic(has_gtid_channels=True)
    for node in world.nodes:
        node.variables["gtid_strict_mode"] = "ON" if is_strict else "OFF"
    return world


def compared(located: Located) -> Evidence:
    """What was said of gtid_slave_pos: the last of the family."""
    return [e for e in located.evidence if e.family is Family.GTID][-1]


def refusals(world: FakeWorld, **more: Any) -> list[str]:
    """Codes of the check's findings that refuse."""
    return [f.code for f in check_gtid_mode(context_of(world, "a2", "b2", **more)) if f.refuses]


def gtid_steps(steps: tuple[Step, ...]) -> list[Step]:
    """The steps that set gtid_slave_pos."""
    return [step for step in steps if step.code == "set_gtid_position"]


@pytest.mark.parametrize("lost", ["a1", "b1", "a1 b1"])
def test_locate__by_gtid__proven_with_the_sources_own_state_in_all_domains(lost: str) -> None:
    world = gtid_world()
    for node in lost.split():
        world.kill(node)
    world.write("a2")
    world.write("b2")
    for _, located in ask(world, "a2", "b2"):
        assert located.is_proven, located.reasons
        assert wrong(world, located) is None
        assert compared(located).agrees is True
        state = MariadbGtidSet.parse(located.facts["gtid_position"])
        assert state.of_domain(A) is not None
        assert state.of_domain(B) is not None
        assert str(state.of_domain(A if located.node == "a2" else B)) == located.gtid


def test_locate__node_local_write_overtook_and_nothing_was_sampled__its_gtid_proves_nothing() -> None:
    """A parallel applier committed it before a group of the cluster; the replica failed between the two."""
    world = FakeWorld(has_gtid_channels=True)
    channel = world.connect("a1", "b1")
    world.backlog = 2
    world.write("a1")
    world.write_local("a1")
    world.tick()
    local = channel.pending[1]
    world.b.commit(local.txn, local.gtid)
    world.kill("b1")
    assert not forward(ask(world, "a1", "b2")).is_proven


def test_locate__by_gtid_while_the_channel_moves__compared_only_once_it_stands() -> None:
    located = forward(ask(gtid_world(), "a2", "b2"))
    assert located.is_proven
    assert compared(located).agrees is None
    assert "still running" in compared(located).detail


def test_locate__neighbour_stands_past_what_anybody_holds__refused_by_name_with_a_remedy() -> None:
    """Experiment 12: a DDL failed on the replica and moved gtid_slave_pos on its neighbours."""
    world = gtid_world()
    world.kill("b1")
    world.write("a2")
    node = world.node("b3")
    node.slave_pos = MariadbGtidSet.of([*node.slave_pos, MariadbGtid(A, 10, len(world.a.history))])
    plan = plan_relocate(world, "a2", "b2")
    finding = next(f for f in plan.findings if f.code == "gtid_slave_pos_differs")
    assert plan.is_refused
    assert plan.steps == ()
    assert "b3" in finding.message
    assert "b2:" not in finding.message
    assert "SET GLOBAL gtid_slave_pos=" in finding.remedy
    assert " on b3" in finding.remedy


@pytest.mark.parametrize("unapplied", [0, 2])
def test_locate__source_numbers_its_gtids_differently__refused_with_the_cause(unapplied: int) -> None:
    """A node that returned from a crash counts one less than its neighbours (seen on MariaDB 11.4.5)."""
    world = gtid_world()
    log = world.node("a2").log
    append = log.append

    def append_one_less(txn: Txn, xid: int | None, gtid: MariadbGtid, by: Relogging) -> None:
        append(txn, xid, gtid if gtid.domain != A else replace(gtid, seq_no=gtid.seq_no - 1), by)

    log.append = append_one_less  # type: ignore[method-assign]
    for _ in range(12):
        world.write("a1")
        world.tick()
    world.backlog = unapplied
    for _ in range(unapplied):
        world.write("a1")
    located = forward(ask(world, "a2", "b2"))
    assert not located.is_proven
    assert "numbers its transactions differently from its neighbours" in " ".join(located.reasons)
    assert "Give a2 a full state transfer (SST)" in str(located.facts["remedy"])


@pytest.mark.parametrize(("less", "is_cluster_wide", "is_told"), [(1, True, True), (0, True, False), (1, False, False)])
def test_shifted_gtid__same_number_or_own_numbers__none(less: int, is_cluster_wide: bool, is_told: bool) -> None:
    world = gtid_world()
    for _ in range(9):
        world.write("a1")
        world.tick()
    groups = forward(ask(world, "a2", "b2")).applied
    numbered = [replace(one, gtid=replace(one.gtid, seq_no=one.gtid.seq_no - less)) for one in groups if one.gtid]
    window = Window(groups[0].begin_position, numbered, [], groups[-1].end_position)
    found = shifted_gtid(window, LastApplied(groups, None, True), is_cluster_wide=is_cluster_wide)
    assert (found == numbered[-1].gtid) is is_told


def test_locate__all_nodes_stand_past_the_content__refused() -> None:
    """What a node says of itself is compared with what its binlog holds, not only with its neighbours."""
    world = gtid_world()
    world.kill("b1")
    world.write("a2")
    for node in world.b.live:
        node.slave_pos = MariadbGtidSet.of([*node.slave_pos, MariadbGtid(A, 10, len(world.a.history))])
    located = forward(ask(world, "a2", "b2"))
    assert not located.is_proven
    assert "b2:" in compared(located).detail
    assert "b3:" in compared(located).detail


def test_locate__source_cannot_tell_its_state__refused() -> None:
    world = gtid_world()
    world.kill("b1")
    for node in world.a.nodes:
        node.variables.pop("wsrep_gtid_domain_id")
    assert not forward(ask(world, "a2", "b2")).is_proven


@pytest.mark.parametrize("is_strict", [False, True])
def test_relocate__by_gtid_while_both_sides_write__arrives_whole_and_stays_in_gtid_mode(is_strict: bool) -> None:
    world = gtid_world(is_strict=is_strict)
    world.has_workload = True
    plan = sound(plan_relocate(world, "a2", "b3"))
    assert all("{{" in step.sql[0] for step in gtid_steps(plan.steps))
    memory = run_to_end(world, plan)
    assert_whole(world, memory)
    channel = world.node("b3").channels["link1"]
    assert channel.options["Using_Gtid"] == "Slave_Pos"
    assert {n.variables["gtid_strict_mode"] for n in world.nodes} == {"ON" if is_strict else "OFF"}


def test_relocate__by_gtid__own_domain_as_the_source_holds_it() -> None:
    """Anything newer of the own domain the source refuses (1236); without it it reads from its beginning."""
    world = gtid_world()
    world.kill("a1")
    world.write_times(3, "b2")
    plan = plan_relocate(world, "a2", "b1")
    forward_step = gtid_steps(plan.steps)[0]
    shown = MariadbGtidSet.parse(forward_step.params["planned"])
    on_source = MariadbGtidSet.of(p.gtid for p in world.node("a2").log.placed if p.gtid)
    at_home = MariadbGtidSet.of(p.gtid for p in world.node("b1").log.placed if p.gtid)
    assert shown.of_domain(B) == on_source.of_domain(B)
    assert shown.of_domain(B) != at_home.of_domain(B)


@pytest.mark.parametrize("fault", ["position", "strict"])
def test_relocate__by_gtid__somebody_changes_the_server_meanwhile__stops_by_name(fault: str) -> None:
    world = gtid_world()
    plan = plan_relocate(world, "a2", "b3")
    gateway = FakeGateway(world)
    changed: list[bool] = []

    def change() -> None:
        if "RESET" in {e.verb for e in world.executed} and not changed:
            changed.append(True)
            node = world.node("b3")
            if fault == "position":
                node.slave_pos = MariadbGtidSet()
            else:
                node.variables["gtid_strict_mode"] = "ON"

    world.on_tick = change
    memory = run_to_end(world, plan, gateway)
    assert memory.ended.state == "needs_operator"
    assert "link1" not in world.node("b3").channels


def test_check__by_gtid_and_all_as_measured__ok_with_the_domains_named() -> None:
    findings = list(check_gtid_mode(context_of(gtid_world(), "a2", "b2")))
    assert [f.code for f in findings] == ["gtid_cluster_wide"]
    assert f"cluster-a {A}" in findings[0].message


@pytest.mark.parametrize(
    ("code", "node", "variable", "value"),
    [
        ("gtid_not_cluster_wide", "a3", "wsrep_gtid_mode", "OFF"),
        ("gtid_not_cluster_wide", "b3", "wsrep_gtid_mode", None),
        ("gtid_domains_not_apart", "a3", "wsrep_gtid_domain_id", "7"),
        ("gtid_domains_not_apart", "b1", "wsrep_gtid_domain_id", None),
        ("gtid_state_unknown", "b2", "gtid_strict_mode", None),
    ],
)
def test_check__by_gtid_and_a_fact_is_not_as_measured__refused(
    code: str, node: str, variable: str, value: str | None
) -> None:
    world = gtid_world()
    if value is None:
        world.node(node).variables.pop(variable)
    else:
        world.node(node).variables[variable] = value
    assert refusals(world) == [code]


def test_check__same_domain_on_both_sides__refused() -> None:
    world = gtid_world()
    for node in world.nodes:
        node.variables["wsrep_gtid_domain_id"] = "7"
    assert refusals(world) == ["gtid_domains_not_apart"]


def test_check__current_pos__refused() -> None:
    world = gtid_world()
    world.node("b1").channels["link1"].options["Using_Gtid"] = "Current_Pos"
    assert refusals(world) == ["channel_uses_gtid"]


def test_check__new_replica_has_another_connection__refused() -> None:
    world = gtid_world()
    other = world.connect("a1", "b2", name="elsewhere", is_running=False)
    other.source = ("10.9.9.9", 3306)
    assert refusals(world) == ["gtid_other_channel"]


@pytest.mark.parametrize("text", ["1-2", "1-2-3,", "1-2-3' OR '1", "{{forward.file}}", "{{sideways.gtid}}", "1-2-3;"])
def test_quoting__not_a_gtid_position__refused(text: str) -> None:
    with pytest.raises(DialectError):
        gtids(text)


def test_dialect__strict_mode__lifted_within_the_one_statement_and_back_whatever_happens() -> None:
    sql = MariadbDialect().set_gtid_position(MariadbGtidSet.parse("1-2-3"), is_strict=True)
    order = (
        "HANDLER",
        "gtid_strict_mode=ON; RESIGNAL",
        "gtid_strict_mode=OFF",
        "gtid_slave_pos",
        "strict_mode=ON;\nEND",
    )
    places = [sql.index(part) for part in order]
    assert places == sorted(places)


def behind_by_one(node: FakeNode) -> MariadbGtid:
    """Its gtid_slave_pos names the transaction before the last one, which it has; the GTID of the last one."""
    last = node.slave_pos.of_domain(A)
    assert last is not None
    before = replace(last, seq_no=last.seq_no - 1)
    node.slave_pos = MariadbGtidSet(tuple(before if gtid is last else gtid for gtid in node.slave_pos))
    return last


@pytest.mark.parametrize("is_stored_late", [True, False])
def test_slave_pos__behind_what_the_node_has__waited_for_and_refused_where_it_stays(is_stored_late: bool) -> None:
    """On an overloaded machine a node stores it some time after the transaction shows."""
    world = gtid_world()
    world.kill("a1")
    world.write("a2")
    node = world.node("b3")
    last = behind_by_one(node)
    node.stored_late = (last,) if is_stored_late else ()
    located = forward(ask(world, "a2", "b2"))
    assert located.is_proven is is_stored_late
    assert compared(located).agrees is is_stored_late
    assert is_stored_late or f"(b3: {A}-" in located.reasons[0]


def test_dialect__wait_for_a_gtid__mariadb_alone() -> None:
    gtid = MariadbGtid(200, 20, 1688)
    assert MariadbDialect().gtid_wait_query(gtid, 2.0) == "SELECT MASTER_GTID_WAIT('200-20-1688', 2) AS reached"
    with pytest.raises(DialectError, match="200-20-1688"):
        MysqlDialect((8, 4)).gtid_wait_query(gtid, 2.0)


def behind_in_a_third_domain(*, is_applied: bool = False, is_own: bool = False) -> tuple[FakeWorld, MariadbGtid]:
    """Parallel appliers left a third server's transaction behind newer ones of the source's domain, and b1 is lost."""
    world = FakeWorld.classic(has_gtid_channels=True)
    world.feed("a2")
    for name in ("a1", "a2", "a3"):
        for channel in world.node(name).channels.values():
            channel.ignore = (*channel.ignore, 900)
    world.a.commit(replace(world.txn("a2"), server_id=900), MariadbGtid(77, 900, 1), through="a2")
    world.tick()
    world.remember()
    channel = world.node("b1").channels["link1"]
    world.backlog = 1_000
    server_id = world.node("a2").server_id if is_own else 900
    late, gtid = replace(world.txn("a2"), server_id=server_id), MariadbGtid(77, server_id, 2)
    world.a.commit(late, gtid, through="a2")
    world.write_times(12, "a1")
    world.tick()
    for placed in [one for one in channel.pending if is_applied or one.txn.uid != late.uid]:
        world.b.commit(placed.txn, placed.gtid, through="b1")
    world.kill("b1")
    return world, gtid


def test_plan__a_third_servers_domain_is_behind__refused_with_its_gtid() -> None:
    world, late = behind_in_a_third_domain()
    assert plan_relocate(world, "a1", "b2").is_refused
    located = forward(ask(world, "a1", "b2"))
    assert not located.is_proven
    assert any("lacks one of a third server" in reason and f"{late} on b2" in reason for reason in located.reasons)
    assert "Read the transactions of that domain" in str(located.facts["remedy"])


def test_plan__a_third_servers_domain_is_applied_to_its_end__ready() -> None:
    world, late = behind_in_a_third_domain(is_applied=True)
    located = forward(ask(world, "a1", "b2"))
    assert located.is_proven, located.reasons
    assert MariadbGtidSet.parse(str(located.facts["gtid_position"])).of_domain(77) == late
    assert not plan_relocate(world, "a1", "b2").is_refused


def test_locate__a_node_of_the_source_logged_in_another_domain__compared_elsewhere() -> None:
    """What a node logs for itself under gtid_domain_id never left for the other side by another node."""
    world, _ = behind_in_a_third_domain(is_own=True)
    assert forward(ask(world, "a1", "b2")).is_proven
