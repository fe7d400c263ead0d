"""I14 where the active side changes: every single fact, taken away, refuses or is listed with why it is harmless."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.checks.context import Pair
from backend.core.checks.run import run_checks
from backend.core.link_facts import LinkFacts
from backend.core.plan import Plan
from backend.core.plans import failover, switchover
from backend.core.plans.context import context_for
from backend.core.plans.failover import FAILOVER_CHECKS
from backend.core.plans.switchover import SWITCHOVER_CHECKS
from backend.core.topology import Reach
from tests.core.builders.link_facts import down, node_of, with_channel, with_node, with_option, with_variable
from tests.core.checks.unknown_facts import OPTIONAL, REFUSING, SEMI_SYNC_STATUS, TOLD, Unknown
from tests.fakes.sites import QUIET, passive
from tests.fakes.world import FakeWorld

KEPT = "channels stay where they stand: what a channel would need elsewhere is not asked for"
FORGOTTEN = "the channel is drained and forgotten: what another one would need is not asked for"
NODE = {
    "uptime_s": "shown to people only",
    **dict.fromkeys(SEMI_SYNC_STATUS, "asked for only where rpl_semi_sync_master_enabled is ON (test_semi_sync)"),
    "probe_ms": "shown to people only",
    "clock_offset_s": "positions do not depend on the clock; check_clock says so",
    "binlog": "read again in the run, on a connection of its own",
    "server_id": "ids once seen stay known, so that a dead node's still guards",
    "auto_increment_increment": "one side accepts writes at a time",
    "auto_increment_offset": "one side accepts writes at a time",
    "rpl_semi_sync_slave_enabled": "a replica that may acknowledge counts as one that does, and is not relied on",
}
CHANNEL_NEEDS = (
    "binlog_row_image",
    "repl.commit_order",
    "gtid_slave_pos",
    "gtid_strict_mode",
    "wsrep_gtid_mode",
    "wsrep_gtid_domain_id",
    "replicate_do_db",
    "replicate_do_table",
    "replicate_ignore_db",
    "replicate_ignore_table",
    "replicate_rewrite_db",
    "replicate_wild_do_table",
    "replicate_wild_ignore_table",
)
NEEDLESS: dict[str, dict[str, str]] = {
    "switchover": NODE
    | dict.fromkeys(CHANNEL_NEEDS, KEPT)
    | {f"{node}.{name}": "no channel is on that node" for node in ("a2", "a3", "b2", "b3") for name in REFUSING}
    | {
        "channel": KEPT,
        "lag_s": "the run waits a minute for the drain, then opens the old side again",
        "a1.wsrep_reject_queries": "changed only where clients are to be turned away; then it refuses, see below",
        "a2.wsrep_reject_queries": "as on a1",
        "a3.wsrep_reject_queries": "as on a1",
        "a2.wsrep_on": "the node is fenced, whether its writes reach its cluster or not",
        "a3.wsrep_on": "the node is fenced, whether its writes reach its cluster or not",
    },
    "failover": NODE
    | dict.fromkeys(CHANNEL_NEEDS, FORGOTTEN)
    | dict.fromkeys((*REFUSING, "max_allowed_packet"), "there is no other side to choose; it warns (warn_of_settings)")
    | {
        "channel": FORGOTTEN,
        "event_scheduler": "events are no data: what is unknown of them is said, and shown until it is done",
        "lag_s": "it sets how long the drain may take, a minute at least; the run stops where that is too short",
        "gtid_binlog_state": "a failover sets no list of ignored ids; the reprotect does, which asks for them",
        "active.recorded_state_uuid": "who returns is asked by the reprotect, which refuses (state_uuid_unknown)",
    },
}
"""Allowed exceptions, each with its reason: by the fact anywhere, or by the one place."""


def _link(kind: str) -> LinkFacts:
    world = passive(FakeWorld.classic())
    if kind == "failover":
        world.kill_side(world.a)
    return world.facts()


def _unknowns(kind: str) -> list[Unknown]:
    """Every single fact of the nodes that answer, of their channel, and of the clusters."""
    link, found = _link(kind), []
    for facts in link.nodes:
        name = facts.node.name
        if facts.is_up:
            found += [Unknown(f"{name}.{n}", lambda f, m=name, n=n: with_node(f, m, **{n: None})) for n in OPTIONAL]
            names = sorted(facts.variables.keys() - set(TOLD))
            found += [Unknown(f"{name}.{n}", lambda f, m=name, n=n: with_variable(f, m, n, None)) for n in names]
            found.append(Unknown(f"{name}.reach", lambda f, m=name: down(f, m, Reach.UNKNOWN)))
    (channel,) = node_of(link, "b1").channels or ()
    found += [Unknown(f"channel.{n}", lambda f, n=n: with_option(f, n, None)) for n in sorted(channel.options)]
    found.append(Unknown("b1.lag_s", lambda f: with_channel(f, "b1", lag_s=None)))
    return [
        *found,
        *(Unknown(f"{s}.recorded_state_uuid", lambda f, s=s: _unnamed(f, s)) for s in ("active", "standby")),
    ]


def _unnamed(facts: LinkFacts, side: str) -> LinkFacts:
    return replace(facts, **{side: replace(getattr(facts, side), recorded_state_uuid=None)})


def _plan(kind: str, facts: LinkFacts, *, rejects: bool = False, attested: frozenset[str] = frozenset()) -> Plan:
    ctx = context_for(facts, Pair("n_a1", "n_b1"), now_s=facts.observed_at_s, attested_fenced=attested)
    if kind == "switchover":
        ids = [node.node.id for node in facts.active.nodes]
        ctx = replace(ctx, activity=dict.fromkeys(ids, QUIET), may_reject=dict.fromkeys(ids, True))
        ctx = replace(ctx, rejects_queries=rejects)
        return switchover.decide(ctx, run_checks(ctx, SWITCHOVER_CHECKS), kind=kind, options={})
    lost = frozenset(node.node.id for node in facts.active.nodes)
    ctx = replace(ctx, focus=(ctx.pair[1],), attested_fenced=lost, accepts_loss=True)
    seen = failover.ObservedLoss(0, facts.observed_at_s)
    return failover.decide(ctx, run_checks(ctx, FAILOVER_CHECKS), seen, options={})


CASES = [(kind, unknown) for kind in ("switchover", "failover") for unknown in _unknowns(kind)]


@pytest.mark.parametrize(("kind", "unknown"), CASES, ids=lambda v: v if isinstance(v, str) else v.name)
def test_unknown_fact__where_sides_change__refused_unless_the_reason_is_written_down(
    kind: str, unknown: Unknown
) -> None:
    subject, fact = unknown.name.split(".", 1)
    listed = {unknown.name, subject, fact} & NEEDLESS[kind].keys()
    plan = _plan(kind, unknown.change(_link(kind)))
    if plan.is_refused:
        assert not listed, "the exception is not needed: take it off the list"
        assert all(f.remedy for f in plan.findings if f.refuses)
        assert plan.steps == ()
    else:
        assert listed, f"{unknown.name} is unknown and passes"


@pytest.mark.parametrize("kind", ["switchover", "failover"])
def test_unknown_fact__none__ready(kind: str) -> None:
    assert not _plan(kind, _link(kind)).is_refused


def test_unknown_fact__reject_queries_where_clients_are_turned_away__refused() -> None:
    assert not _plan("switchover", _link("switchover"), rejects=True).is_refused
    unread = with_variable(_link("switchover"), "a2", "wsrep_reject_queries", None)
    found = {f.code for f in _plan("switchover", unread, rejects=True).findings if f.refuses}
    assert found == {"node_cannot_be_fenced"}


def test_unknown_fact__standby_node_silent_and_still_a_member__attested_by_name_only() -> None:
    silent = down(_link("switchover"), "b2", Reach.HUNG)
    refused = _plan("switchover", silent)
    assert {f.code for f in refused.findings if f.refuses} == {"unreachable_node_may_run"}
    assert not _plan("switchover", silent, attested=frozenset({"n_b2"})).is_refused
