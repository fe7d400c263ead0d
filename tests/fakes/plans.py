"""Plans of a `FakeWorld`, made as the console's planner makes them: by the declaration of their kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from backend.core.adviser.advice.facts import ClusterConfiguration, node_configuration
from backend.core.checks.context import CheckContext
from backend.core.checks.run import Check, run_checks
from backend.core.equal_data.comparison import differences
from backend.core.facts.activity import NodeActivity
from backend.core.link_facts import LinkFacts
from backend.core.locate.locator import locate
from backend.core.locate.model import Located
from backend.core.locate.requests import LocateRequest, refuse_unreadable
from backend.core.locate.search_inputs import build_search
from backend.core.plan import Plan
from backend.core.plans import create_channels, remove_channels
from backend.core.plans.context import context_for
from backend.core.plans.equal_sides import ComparedSides
from backend.core.plans.kind import PAIR, Given, Options, PlanFacts
from backend.core.plans.kinds import PLAN_KINDS
from backend.core.plans.target import choose_pair
from backend.core.ports import Gateway, NodeError
from backend.core.topology import Direction
from tests.fakes.contents import FakeContents
from tests.fakes.gateway import FakeGateway, variables_of
from tests.fakes.monitor import compare_logs
from tests.fakes.world import USERS, FakeWorld

SEND_WINDOWS = {"evs.user_send_window": "512", "evs.send_window": "512"}
EVERYTHING_APPLIED: remove_channels.Unapplied = dict.fromkeys(Direction, 0)
QUIET = NodeActivity(long_transactions=(), ddl=(), enabled_events=0, write_through=())
TOLD: Mapping[str, Any] = {
    "replication_users": USERS,
    "copied_accounts": (),
    "held_data": (),
    "other_run": (),
}


@dataclass(slots=True)
class FakePlanner:
    """Executes the declaration of a kind over a world, and is its `PlanFacts`. No probe was written so far.

    `held` are values of the context whatever the world says, `told` the answers of `PlanFacts` by question; `checks`
    replaces those of the kind, and `named` are nodes that it begins with though no person chose them.
    """

    world: FakeWorld
    kind: str
    options: Options
    held: Mapping[str, Any] = field(default_factory=dict)
    told: Mapping[str, Any] = field(default_factory=dict)
    checks: Iterable[Check] | None = None
    named: Mapping[str, str] = field(default_factory=dict)

    def plan(self) -> Plan:
        """The plan, ready or refused."""
        return PLAN_KINDS[self.kind].decide(self.judged(self.world.facts()))

    def judged(self, link: LinkFacts, **named: str) -> Given:
        """Implements `PlanFacts`."""
        kind, facts = PLAN_KINDS[self.kind], cast("PlanFacts", self)
        ctx = self._context(link, {**self.named, **self.options, **named})
        checks = kind.checks_for(ctx, self.options) if self.checks is None else self.checks
        findings = (*run_checks(ctx, checks), *kind.findings(ctx, self.options, facts))
        ask = locate_with(self.world, FakeGateway(self.world, moves=False))
        requests = () if kind.is_search_blocked(findings) else kind.requests(ctx, self.options)
        return Given(ctx, findings, tuple(ask(one, ctx.link) for one in requests), self.options, facts)

    def _context(self, link: LinkFacts, options: Options) -> CheckContext:
        kind = PLAN_KINDS[self.kind]
        chosen = kind.prefers(link, options)
        ctx = context_of(self.world, *(chosen.get(name) if name in kind.chooses else None for name in PAIR))
        ctx = kind.in_context(ctx, options, cast("PlanFacts", self))
        if kind.asks_activity:
            ctx = replace(ctx, activity={node.ref.id: QUIET for node in self.world.active.nodes if node.is_up})
        return replace(with_events(self.world, ctx) if kind.asks_events else ctx, **self.held)

    def __getattr__(self, question: str) -> Callable[..., Any]:
        return lambda *_: {**TOLD, **self.told}[question]

    def compared_sides(self, ctx: CheckContext) -> ComparedSides:
        """Implements `PlanFacts`."""
        one_side, other = FakeContents(self.world)([node.node.id for node in ctx.pair], has_checksums=False, limit_s=1)
        lacks_probes = "TABLE" not in self.world.node(ctx.pair[1].node.id).probe_objects
        return ComparedSides(
            len(one_side.tables),
            one_side.size_bytes,
            differences(one_side, other, has_checksums=False),
            probe_missing=ctx.pair[1] if lacks_probes else None,
        )


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


def with_events(world: FakeWorld, ctx: CheckContext) -> CheckContext:
    """What every node shows of its events, and an operator account that may alter all of them."""
    events = {node.ref.id: tuple(node.events) for node in world.nodes}
    lacks = {node_id: {event.key: () for event in shown} for node_id, shown in events.items()}
    return replace(ctx, events=events, event_lacks=lacks)


def named_pair(world: FakeWorld, source: str | None, replica: str | None) -> dict[str, str]:
    """The options that name these nodes."""
    return {option: world.node(name).ref.id for option, name in zip(PAIR, (source, replica), strict=True) if name}


def plan_relocate(
    world: FakeWorld,
    source: str | None = None,
    replica: str | None = None,
    *,
    checks: Sequence[Check] | None = None,
    options: Options | None = None,
    **more: Any,
) -> Plan:
    """A relocate, onto these nodes if they are named; the plan keeps the other options."""
    chosen = {**(options or {}), **named_pair(world, source, replica)}
    return replace(FakePlanner(world, "relocate", chosen, more, checks=checks).plan(), options=options or {})


def plan_accept(world: FakeWorld, source: str | None = None, replica: str | None = None, **more: Any) -> Plan:
    """A plan that accepts a new history, of nodes whose logs the monitor has compared."""
    compare_logs(world)
    return FakePlanner(world, "accept_state_uuid", {}, more, named=named_pair(world, source, replica)).plan()


def plan_clean(world: FakeWorld, **more: Any) -> Plan:
    """A clean plan."""
    return FakePlanner(world, "remove_stray_channel", {}, more).plan()


def plan_remove(
    world: FakeWorld,
    *,
    checks: Iterable[Check] | None = None,
    unapplied: remove_channels.Unapplied = EVERYTHING_APPLIED,
    options: Options | None = None,
    **more: Any,
) -> Plan:
    """A plan that ends replication; the monitor has counted what is not applied."""
    return FakePlanner(world, "remove_channels", options or {}, more, {"unapplied": unapplied}, checks).plan()


def plan_create(world: FakeWorld, *, checks: Iterable[Check] | None = None, options: Options | None = None) -> Plan:
    """A plan that creates the channels of a link whose sides hold equal data."""
    chosen = {"standby_data": create_channels.EQUAL, "channel_tls": "on"} | dict(options or {})
    return FakePlanner(world, "create_channels", chosen, checks=checks).plan()


def plan_start(
    world: FakeWorld,
    *,
    checks: Sequence[Check] | None = None,
    attests: bool = False,
    direction: str | None = None,
    **more: Any,
) -> Plan:
    """A plan that starts what stands where it stands; `attests`: a person says that its error is over."""
    options = {} if direction is None else {"direction": direction}
    held = {"attested_error_over": attests, **more}
    return FakePlanner(world, "start_channel", options, held, checks=checks).plan()


def plan_configure(
    world: FakeWorld,
    values: Mapping[str, str] | None = None,
    *,
    checks: Iterable[Check] | None = None,
    may_set: Mapping[str, Mapping[str, bool]] | None = None,
    cluster: ClusterConfiguration | None = None,
    **more: Any,
) -> Plan:
    """A plan, its options left out, that changes settings of the active side; the operator account may do all."""
    may = {node.ref.id: {"SUPER": True, "BINLOG ADMIN": True} for node in world.active.nodes}
    told = {"configuration": cluster or configuration_of(world), "may_set": may if may_set is None else may_set}
    settings = [{"name": name, "value": value} for name, value in (values or SEND_WINDOWS).items()]
    chosen = {"side": "active", "settings": settings}
    return replace(FakePlanner(world, "configure", chosen, more, told, checks).plan(), options={})


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
