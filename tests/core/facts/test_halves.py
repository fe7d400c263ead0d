"""A registered cluster that is several Primary Components, and what follows for plans, the link's page and a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from backend.core.checks.halves import check_sites_are_whole, check_survivor_is_whole
from backend.core.checks.run import Check
from backend.core.facts.fingerprint import COMPONENTS, current_fingerprint, fingerprint
from backend.core.facts.halves import DURABLE, away_halves, common_seqno, do_views_differ, halves, is_split
from backend.core.facts.split_sites import split_finding
from backend.core.findings import Severity
from backend.core.link_facts import LinkFacts
from backend.core.link_state import History, LinkView, derive
from backend.core.link_state.clusters import status_of
from backend.core.plans.accept_state_uuid import ACCEPT_CHECKS
from backend.core.plans.configure import CONFIGURE_CHECKS
from backend.core.plans.create_channels import CREATE_ON_COPY_CHECKS, CREATE_ON_EQUAL_CHECKS
from backend.core.plans.failover import FAILOVER_CHECKS
from backend.core.plans.node_maintenance import MAINTENANCE_CHECKS
from backend.core.plans.relocate import RELOCATE_CHECKS
from backend.core.plans.reprotect import REPROTECT_CHECKS, REPROTECT_FENCE_CHECKS
from backend.core.plans.rotate_passwords import ROTATION_CHECKS
from backend.core.plans.start_channel import START_CHECKS
from backend.core.plans.switchover import FAILBACK_CHECKS, SWITCHOVER_CHECKS
from backend.core.runner import StepStarted
from backend.core.steps.positions.caught_up import SideEnd
from backend.core.topology import ClusterFacts, Direction, NodeFacts, PartedHalf, SeenTogether
from tests.fakes.console import FakeConsole
from tests.fakes.driver import Memory, Walker
from tests.fakes.gateway import FakeGateway
from tests.fakes.plans import context_of
from tests.fakes.sites import passive, plan_failover, plan_switchover
from tests.fakes.world import FakeWorld

A1, A2, A3 = "10.0.1.1:3306", "10.0.1.2:3306", "10.0.1.3:3306"
Shown = tuple[int, Sequence[str]]
"""A configuration id, and the addresses of its members."""


def _world() -> FakeWorld:
    return passive(FakeWorld.classic())


def _showing(cluster: ClusterFacts, *shown: Shown | None, places: Sequence[int | None] = ()) -> ClusterFacts:
    """Its nodes show these views; None is a node that is not Primary."""

    def node(facts: NodeFacts, view: Shown | None, place: int | None) -> NodeFacts:
        assert facts.wsrep is not None
        if view is None:
            return replace(facts, wsrep=replace(facts.wsrep, cluster_status="non-Primary", ready=False))
        more = {"conf_id": view[0], "cluster_size": len(view[1]), "incoming_addresses": tuple(view[1])}
        return replace(facts, wsrep=replace(facts.wsrep, **more, local_index=place))

    given = [*places, *[None] * len(shown)]
    return replace(cluster, nodes=tuple(map(node, cluster.nodes, shown, given)))


def _names(cluster: ClusterFacts) -> list[tuple[str, ...]]:
    return [half.names for half in halves(cluster)]


SPLITS: tuple[tuple[str, tuple[Shown | None, ...], tuple[int | None, ...], list[tuple[str, ...]]], ...] = (
    ("one bootstrapped beside two", ((1, [A1]), (5, [A2, A3]), (5, [A2, A3])), (), [("a2", "a3"), ("a1",)]),
    ("by pc.bootstrap, with one number", ((5, [A1]), (5, [A2, A3]), (5, [A2, A3])), (), [("a2", "a3"), ("a1",)]),
    ("three alone", ((1, [A1]), (1, [A2]), (1, [A3])), (), [("a1",), ("a2",), ("a3",)]),
    (
        "three alone, no addresses",
        ((1, ["AUTO"]), (1, ["AUTO"]), (1, ["AUTO"])),
        (0, 0, 0),
        [("a1",), ("a2",), ("a3",)],
    ),
    ("no addresses, all seen", ((1, ["AUTO"]), (5, ["AUTO"] * 2), (5, ["AUTO"] * 2)), (), [("a2", "a3"), ("a1",)]),
    ("beside an arbitrator", ((1, [A1]), (5, [A2, A3, ""]), (5, [A2, A3, ""])), (), [("a2", "a3"), ("a1",)]),
    ("beside a server that is not registered", ((1, [A1]), (5, [A2, "10.0.1.9:3306"]), None), (), [("a1",), ("a2",)]),
    ("two addresses for each member", ((1, [A1, "10.9.1.1"]), (5, [A2, "10.9.1.2"]), None), (), [("a1",), ("a2",)]),
)
WHOLE: tuple[tuple[str, tuple[Shown | None, ...], bool], ...] = (
    ("one view", ((3, [A1, A2, A3]),) * 3, False),
    ("a node that has not seen the join", ((5, [A1, A2]), (6, [A1, A2, A3]), (6, [A1, A2, A3])), True),
    ("a node that has not seen the leave", ((5, [A1, A2, A3]), (6, [A1, A2]), None), True),
    ("an expelled node that does not know", ((5, [A1, A2, A3]), (6, [A2, A3]), (6, [A2, A3])), True),
    ("two addresses for one member", ((3, [A1, "10.9.1.1", A2, A3]),) * 3, False),
    ("one not Primary", (None, (6, [A2, A3]), (6, [A2, A3])), False),
    ("no addresses, one behind", ((5, ["AUTO"] * 3), (6, ["AUTO"] * 2), (6, ["AUTO"] * 2)), True),
)


@pytest.mark.parametrize(("name", "shown", "places", "names"), SPLITS, ids=[one[0] for one in SPLITS])
def test_halves__components_apart__named(
    name: str, shown: tuple[Shown | None, ...], places: tuple[int | None, ...], names: list[tuple[str, ...]]
) -> None:
    assert _names(_showing(_world().facts().active, *shown, places=places)) == names, name


@pytest.mark.parametrize(("name", "shown", "differ"), WHOLE, ids=[one[0] for one in WHOLE])
def test_halves__one_component__not_split(name: str, shown: tuple[Shown | None, ...], differ: bool) -> None:
    cluster = _showing(_world().facts().active, *shown)
    assert (is_split(cluster), do_views_differ(cluster)) == (False, differ), name


def test_halves__two_state_uuids__apart() -> None:
    cluster = _world().facts().active
    first = cluster.nodes[0]
    assert first.wsrep is not None
    other = replace(first, wsrep=replace(first.wsrep, state_uuid="another"))
    assert _names(replace(cluster, nodes=(other, *cluster.nodes[1:]))) == [("a2", "a3"), ("a1",)]


def _split(cluster: ClusterFacts, **more: object) -> ClusterFacts:
    one = cluster.nodes[0].node.address
    rest = [f"{host}:{port}" for host, port in (node.node.address for node in cluster.nodes[1:])]
    apart = _showing(cluster, (1, [f"{one[0]}:{one[1]}"]), *[(5, rest)] * (len(cluster.nodes) - 1))
    return replace(apart, **more)  # type: ignore[arg-type]


def _together(cluster: ClusterFacts, **more: object) -> SeenTogether:
    """The first node was last seen with the others at 40; they count on without it."""
    first, *rest = [node.node.id for node in cluster.nodes]
    seqnos = {first: dict.fromkeys(rest, 40)} | {one: {first: 42, **dict.fromkeys(rest, 77)} for one in rest}
    uuid = cluster.recorded_state_uuid
    assert uuid is not None
    return replace(SeenTogether(uuid, seqnos), **more)  # type: ignore[arg-type]


def test_common_seqno__last_seen_in_one_view__the_lower_counter() -> None:
    cluster = _world().facts().active
    assert common_seqno(_split(cluster, seen_together=_together(cluster))) == 40


@pytest.mark.parametrize("seen", [None, SeenTogether("another", {}), SeenTogether("same", {})])
def test_common_seqno__never_seen_as_one__unknown(seen: SeenTogether | None) -> None:
    cluster = _world().facts().active
    if seen is not None and seen.state_uuid == "same":
        seen = replace(seen, state_uuid=cluster.recorded_state_uuid or "")
    found = split_finding(_split(cluster, seen_together=seen))
    assert common_seqno(_split(cluster, seen_together=seen)) is None
    assert "is unknown" in found.message
    assert found.facts["common_seqno"] is None


def test_finding__halves__named_with_the_common_seqno_and_the_way_back() -> None:
    cluster = _world().facts().active
    found = split_finding(_split(cluster, seen_together=_together(cluster)))
    assert "a2 and a3, at seqno" in found.message
    assert "; a1, at seqno" in found.message
    assert "at least up to seqno 40." in found.message
    assert "move their data folders aside" in found.remedy


def test_finding__commits_may_not_survive_a_crash__said() -> None:
    cluster = _world().facts().active
    loose = tuple(replace(n, variables={**n.variables, DURABLE: "2"}) for n in cluster.nodes)
    found = split_finding(_split(replace(cluster, nodes=loose), seen_together=_together(cluster)))
    assert "at least up to seqno 40, unless a crash" in found.message


PLANS: tuple[tuple[str, tuple[Check, ...]], ...] = (
    ("relocate", RELOCATE_CHECKS),
    ("accept_state_uuid", ACCEPT_CHECKS),
    ("switchover", SWITCHOVER_CHECKS),
    ("failback", FAILBACK_CHECKS),
    ("reprotect", REPROTECT_CHECKS),
    ("start_channel", START_CHECKS),
    ("create_on_copy", CREATE_ON_COPY_CHECKS),
    ("create_on_equal", CREATE_ON_EQUAL_CHECKS),
    ("node_maintenance", MAINTENANCE_CHECKS),
    ("configure", CONFIGURE_CHECKS),
    ("rotate_passwords", ROTATION_CHECKS),
)


def _link(side: str, change: str) -> LinkFacts:
    link = _world().facts()
    cluster: ClusterFacts = getattr(link, side)
    if change == "split":
        return replace(link, **{side: _split(cluster)})  # type: ignore[arg-type]
    if change == "differ":
        names = [f"{host}:{port}" for host, port in (node.node.address for node in cluster.nodes)]
        return replace(link, **{side: _showing(cluster, (5, names), (6, names[:2]), (6, names[:2]))})  # type: ignore[arg-type]
    quiet = replace(cluster.nodes[2], wsrep=None)
    return replace(link, **{side: replace(cluster, nodes=(*cluster.nodes[:2], quiet))})  # type: ignore[arg-type]


def _found(link: LinkFacts, check: Check) -> dict[str, Severity]:
    return {finding.code: finding.severity for finding in check(replace(context_of(_world()), link=link))}


@pytest.mark.parametrize(("kind", "checks"), PLANS, ids=[one[0] for one in PLANS])
def test_plan__of_a_kind_that_needs_whole_sides__asks(kind: str, checks: tuple[Check, ...]) -> None:
    assert check_sites_are_whole in checks, kind


@pytest.mark.parametrize("side", ["active", "standby"])
@pytest.mark.parametrize(
    ("change", "code", "severity"),
    [
        ("split", "site_is_split", Severity.BLOCKER),
        ("differ", "site_views_differ", Severity.UNKNOWN),
        ("unread", "membership_unknown", Severity.UNKNOWN),
    ],
)
def test_check__side_not_one_component__refuses(change: str, code: str, severity: Severity, side: str) -> None:
    assert _found(_link(side, change), check_sites_are_whole) == {code: severity}


def test_check__both_sides_whole__nothing() -> None:
    assert _found(_world().facts(), check_sites_are_whole) == {}


def test_plan__fence_of_a_split_returned_side__not_refused_for_it() -> None:
    assert check_sites_are_whole not in REPROTECT_FENCE_CHECKS


def test_failover__standby_split__refused() -> None:
    assert check_survivor_is_whole in FAILOVER_CHECKS
    assert _found(_link("standby", "split"), check_survivor_is_whole) == {"site_is_split": Severity.BLOCKER}


def test_failover__lost_side_split__warns_and_its_loss_is_unknown() -> None:
    world = _world()
    split = _link("active", "split")
    assert _found(split, check_survivor_is_whole) == {"site_is_split": Severity.WARNING}
    assert plan_failover(world, (), link=split).loss["transactions"] is None


def test_failover__half_has_not_returned__its_loss_is_unknown() -> None:
    world = _world()
    world.kill_side(world.a)
    link = world.facts()
    ids = [node.node.id for node in link.active.nodes]
    parted = (PartedHalf((ids[0],)), PartedHalf(tuple(ids[1:])))
    was_split = replace(link, active=replace(link.active, seen_together=_together(link.active, parted=parted)))
    assert plan_failover(world, (), link=was_split).loss["transactions"] is None
    assert plan_failover(world, ()).loss["transactions"] is not None


def _derived(link: LinkFacts, gap: int | None = 0) -> LinkView:
    return derive(link, History(gaps={Direction.FORWARD: gap}), link.observed_at_s)


@pytest.mark.parametrize("side", ["active", "standby"])
def test_link__side_split__broken_and_nothing_offered(side: str) -> None:
    view = _derived(_link(side, "split"))
    assert view.state.value == "broken"
    assert view.findings[0].code == "site_is_split"
    assert status_of(getattr(_link(side, "split"), side)) == "split"
    assert view.primary_action is None
    assert "is split: " in view.sentence
    assert not [
        kind for kind, answer in view.readiness.items() if answer.state == "ready" and kind != "remove_channels"
    ]


def test_link__active_split__the_sentence_names_the_half_that_is_received() -> None:
    view = _derived(_link("active", "split"))
    assert "cluster-b receives only what a1 commits." in view.sentence
    assert "in sync" not in view.sentence


@pytest.mark.parametrize(("for_s", "state"), [(1.0, "protected"), (10.0, "degraded")])
def test_link__views_differ__said_once_it_lasts(for_s: float, state: str) -> None:
    link = _link("active", "differ")
    seen = _together(link.active, differs_since_s=link.observed_at_s - for_s)
    view = _derived(replace(link, active=replace(link.active, seen_together=seen)))
    assert view.state.value == state
    assert ("site_views_differ" in {one.code for one in view.findings}) is (state == "degraded")


def test_link__half_not_back__degraded() -> None:
    world = _world()
    world.kill("a3")
    link = world.facts()
    ids = [node.node.id for node in link.active.nodes]
    seen = _together(link.active, parted=(PartedHalf((ids[2],)), PartedHalf(tuple(ids[:2]))))
    away = replace(link, active=replace(link.active, seen_together=seen))
    assert [[node.node.name for node in half] for half in away_halves(away.active)] == [["a3"]]
    assert _derived(away).state.value == "degraded"
    assert "site_was_split" in {one.code for one in _derived(away).findings}


def test_fingerprint__side_splits__changed() -> None:
    link = _world().facts()
    planned = fingerprint(link, ("n_a1", "n_b1"))
    now = current_fingerprint(planned, _link("active", "split"))
    assert [key for key in planned if planned[key] != now[key]] == [f"{link.active.name}.{COMPONENTS}"]


def _walked(step: str) -> tuple[FakeWorld, Memory, FakeConsole]:
    """A switchover during which a2 becomes a component of its own as this step starts."""
    world = _world()
    memory, console = Memory(plan_switchover(world)), FakeConsole()

    def parts(transition: object) -> None:
        if isinstance(transition, StepStarted) and transition.step.code == step:
            world.a.apart.add("a2")

    Walker(world, FakeGateway(world), memory, console=console, on_transition=parts).run()
    return world, memory, console


@pytest.mark.parametrize("step", ["recheck", "verify_caught_up"])
def test_switchover__side_splits_before_the_swap__nothing_is_swapped(step: str) -> None:
    world, memory, console = _walked(step)
    assert console.acts == []
    assert all(node.takes_writes for node in world.a.nodes)
    assert any("Primary Components" in text or COMPONENTS in text for text in [memory.ended.sentence, *memory.failures])


def test_switchover__side_splits_after_the_swap__not_verified() -> None:
    _, memory, _ = _walked("verify")
    assert memory.ended.state == "needs_operator"
    assert "Primary Components" in memory.ended.sentence


def _counting(link: LinkFacts, *counters: int | None) -> LinkFacts:
    nodes = [
        replace(node, wsrep=node.wsrep and (None if count is None else replace(node.wsrep, last_committed=count)))
        for node, count in zip(link.active.nodes, counters, strict=True)
    ]
    return replace(link, active=replace(link.active, nodes=tuple(nodes)))


def test_end_of_a_side__source_behind_its_own_cluster__waited_for() -> None:
    link, end = _world().facts(), SideEnd(Direction.FORWARD, "n_a1")
    behind = end.behind(_counting(link, 10, 12, 12))
    assert behind is not None
    assert "a1 has not applied all" in behind.sentence
    assert end.written is None
    assert end.behind(_counting(link, None, 12, 12)) is not None
    assert end.behind(_counting(link, 12, 15, 15)) is None
    assert end.written is not None
