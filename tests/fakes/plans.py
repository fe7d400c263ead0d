"""Plans of a `FakeWorld`, made as the console's planning makes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from backend.core.adviser.advice.facts import ClusterConfiguration, node_configuration
from backend.core.checks.context import CheckContext, Pair
from backend.core.checks.run import Check, run_checks
from backend.core.equal_data.comparison import differences
from backend.core.facts.activity import NodeActivity
from backend.core.findings import Finding, is_refused
from backend.core.link_facts import LinkFacts
from backend.core.locate.locator import locate
from backend.core.locate.model import Located
from backend.core.locate.requests import LocateRequest, refuse_unreadable
from backend.core.locate.search_inputs import build_search
from backend.core.plan import Plan
from backend.core.plans import (
    accept_state_uuid,
    configure,
    create_channels,
    relocate,
    remove_channels,
    remove_stray_channel,
    start_channel,
)
from backend.core.plans.accept_state_uuid import ACCEPT_CHECKS
from backend.core.plans.already_applied import blocks_search
from backend.core.plans.candidates import Attempt, choose_attempt, further_pairs
from backend.core.plans.configure import CONFIGURE_CHECKS
from backend.core.plans.context import context_for, locate_requests
from backend.core.plans.create_channels import CREATE_ON_EQUAL_CHECKS
from backend.core.plans.equal_sides import ComparedSides
from backend.core.plans.relocate import RELOCATE_CHECKS
from backend.core.plans.remove_channels import REMOVE_CHECKS
from backend.core.plans.remove_stray_channel import CLEAN_CHECKS
from backend.core.plans.start_channel import START_CHECKS
from backend.core.plans.target import choose_pair
from backend.core.ports import Gateway, NodeError
from backend.core.topology import Direction
from tests.fakes.contents import FakeContents
from tests.fakes.gateway import FakeGateway, variables_of
from tests.fakes.monitor import compare_logs
from tests.fakes.world import USERS, FakeWorld

SEND_WINDOWS = {"evs.user_send_window": "512", "evs.send_window": "512"}
EVERYTHING_APPLIED: remove_channels.Unapplied = dict.fromkeys(Direction, 0)


def locate_with(world: FakeWorld, gateway: Gateway) -> Callable[[LocateRequest, LinkFacts], Located]:
    """As the console's planning does: a node that fails to answer refuses by name."""

    def ask(question: LocateRequest, link: LinkFacts) -> Located:
        try:
            return locate(build_search(question, link, gateway, world.journal))
        except NodeError as error:
            return refuse_unreadable(question, link, str(error))

    return ask


def context_of(world: FakeWorld, source: str | None = None, replica: str | None = None, **more: Any) -> CheckContext:
    """The context of a relocate onto these nodes (names), the logins having worked."""
    link = world.facts()
    pair = choose_pair(link, source and world.node(source).ref.id, replica and world.node(replica).ref.id)
    logins = {pair.active_node_id: None, pair.standby_node_id: None}
    return context_for(link, pair, now_s=world.clock.now_s(), **({"replication_logins": logins} | more))


def plan_relocate(
    world: FakeWorld,
    source: str | None = None,
    replica: str | None = None,
    *,
    checks: Sequence[Check] = RELOCATE_CHECKS,
    options: Mapping[str, Any] | None = None,
    **more: Any,
) -> Plan:
    """Checks, locates and decides, as the console does."""
    gateway = FakeGateway(world, moves=False)
    ctx = context_of(world, source, replica, **more)
    findings = run_checks(ctx, checks)
    ask = locate_with(world, gateway)

    def attempt(ctx: CheckContext, findings: tuple[Finding, ...]) -> Attempt:
        located = () if blocks_search(findings) else tuple(ask(q, ctx.link) for q in locate_requests(ctx.moves))
        return Attempt(ctx, findings, located)

    def further() -> Iterator[Attempt]:
        named = (key and world.node(key).ref.id for key in (source, replica))
        for pair in further_pairs(ctx.link, Pair(*(node.node.id for node in ctx.pair)), *named):
            other = context_of(world, pair.active_node_id, pair.standby_node_id, **more)
            yield attempt(other, run_checks(other, checks))

    chosen, left_out = choose_attempt(attempt(ctx, findings), further())
    return relocate.decide(
        chosen.ctx,
        chosen.findings,
        chosen.located,
        replication_users=USERS,
        options=options or {},
        left_out=left_out,
    )


def plan_accept(world: FakeWorld, **more: Any) -> Plan:
    """A plan that accepts a new history, of nodes whose logs the monitor has compared."""
    compare_logs(world)
    gateway = FakeGateway(world, moves=False)
    named = {"source_node": more.pop("source", None), "replica_node": more.pop("replica", None)}
    nodes = accept_state_uuid.with_compared_sources(world.facts(), named)
    ctx = context_of(world, nodes["source_node"], nodes["replica_node"], **more)
    findings = run_checks(ctx, ACCEPT_CHECKS)
    ask = locate_with(world, gateway)
    located = () if blocks_search(findings) else [ask(q, ctx.link) for q in locate_requests(ctx.moves)]
    return accept_state_uuid.decide(ctx, findings, located, replication_users=USERS, options={})


def plan_clean(world: FakeWorld, **more: Any) -> Plan:
    """A clean plan."""
    ctx = context_of(world, **more)
    return remove_stray_channel.decide(ctx, run_checks(ctx, CLEAN_CHECKS), {})


def plan_remove(
    world: FakeWorld,
    *,
    checks: Iterable[Check] = REMOVE_CHECKS,
    unapplied: remove_channels.Unapplied = EVERYTHING_APPLIED,
    accepts_loss: bool = False,
    options: Mapping[str, Any] | None = None,
    **more: Any,
) -> Plan:
    """A plan that ends replication; the monitor has counted what is not applied."""
    ctx = replace(context_of(world, **more), accepts_loss=accepts_loss)
    return remove_channels.decide(ctx, run_checks(ctx, checks), unapplied, options=options or {})


def plan_create(
    world: FakeWorld, *, checks: Iterable[Check] = CREATE_ON_EQUAL_CHECKS, options: Mapping[str, Any] | None = None
) -> Plan:
    """A plan that creates the channels of a link whose sides hold equal data."""
    chosen = {"standby_data": create_channels.EQUAL, "channel_tls": "on"} | dict(options or {})
    idle = NodeActivity(long_transactions=(), ddl=(), enabled_events=0, write_through=())
    ctx = create_channels.in_setup(context_of(world), chosen)
    ctx = replace(ctx, activity={node.node.id: idle for node in ctx.link.active.nodes})
    one_side, other_side = FakeContents(world)([node.node.id for node in ctx.pair], has_checksums=False, limit_s=1.0)
    lacks_probes = "TABLE" not in world.node(ctx.pair[1].node.id).probe_objects
    compared = ComparedSides(
        len(one_side.tables),
        one_side.size_bytes,
        differences(one_side, other_side, has_checksums=False),
        probe_missing=ctx.pair[1] if lacks_probes else None,
    )
    findings = run_checks(ctx, checks)
    return create_channels.decide(ctx, findings, (), compared, replication_users=USERS, options=chosen)


def plan_start(
    world: FakeWorld,
    *,
    checks: Sequence[Check] = START_CHECKS,
    attests: bool = False,
    direction: str | None = None,
    **more: Any,
) -> Plan:
    """A plan that starts what stands where it stands; `attests`: a person says that its error is over."""
    options = {} if direction is None else {"direction": direction}
    ctx = start_channel.in_place(replace(context_of(world, **more), attested_error_over=attests), direction)
    ask = locate_with(world, FakeGateway(world, moves=False))

    def plan(ctx: CheckContext, options: Mapping[str, Any]) -> Plan:
        findings = run_checks(ctx, checks)
        located = () if is_refused(findings) else [ask(q, ctx.link) for q in locate_requests(ctx.moves)]
        return start_channel.decide(ctx, findings, located, options=options)

    alone = (
        plan(start_channel.in_place(ctx, one), {"direction": one})
        for one in start_channel.directions_to_try(ctx, options)
    )
    return start_channel.first_sound(plan(ctx, options), alone)


def plan_configure(
    world: FakeWorld,
    values: Mapping[str, str] | None = None,
    *,
    checks: Iterable[Check] = CONFIGURE_CHECKS,
    may_set: Mapping[str, Mapping[str, bool]] | None = None,
    cluster: ClusterConfiguration | None = None,
    **more: Any,
) -> Plan:
    """A plan that changes settings of the active side; the operator account has every privilege."""
    ctx = context_of(world, **more)
    ctx = replace(ctx, focus=ctx.link.active.nodes)
    may = {node.node.id: {"SUPER": True, "BINLOG ADMIN": True} for node in ctx.focus}
    return configure.decide(
        ctx,
        run_checks(ctx, checks),
        cluster or configuration_of(world),
        [configure.Wanted(name, value) for name, value in (values or SEND_WINDOWS).items()],
        may_set=may if may_set is None else may_set,
        options={},
    )


def configuration_of(world: FakeWorld) -> ClusterConfiguration:
    """The settings of the active side as the console reads them; its node a1 has a channel."""
    nodes = tuple(
        node_configuration(
            node.ref.id,
            node.name,
            read_at_s=world.clock.now_s(),
            flavor="mariadb",
            variables=variables_of(node),
            status={},
        )
        for node in world.active.nodes
    )
    return ClusterConfiguration(world.active.id, world.active.name, nodes, frozenset({world.node("a1").ref.id}))


def sound(plan: Plan) -> Plan:
    """The plan, which must not be refused."""
    assert not plan.is_refused, [f.message for f in plan.findings if f.refuses]
    return plan
