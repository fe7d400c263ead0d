"""I14: an unknown never passes, whichever single fact it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.checks.context import CheckContext
from backend.core.findings import is_refused
from backend.core.link_facts import LinkFacts
from backend.core.topology import ChannelFacts, Reach
from tests.core.builders.link_facts import (
    context,
    down,
    link,
    node_of,
    relocate_findings,
    with_node,
    with_option,
    with_variable,
)
from tests.core.checks.unknown_facts import OPTIONAL, SEMI_SYNC_STATUS, TOLD, Unknown

NEEDLESS = {
    # fact: why a relocate does not need it (the check says so itself, or position is proven otherwise)
    "uptime_s": "shown to people only",
    "probe_ms": "shown to people only",
    "clock_offset_s": "positions do not depend on the clock; check_clock says so",
    "binlog": "read again by the locator on a connection of its own",
    "server_id": "ids once seen stay known, so that a dead node's still guards",
    "wsrep_gtid_mode": "unknown counts as off: GTIDs are then not believed",
    "wsrep_gtid_domain_id": "asked for only where channels follow GTIDs (test_gtid)",
    "gtid_strict_mode": "asked for only where channels follow GTIDs (test_gtid)",
    "read_only": "a relocate opens and closes no side; checked where one is (test_site_checks)",
    "wsrep_reject_queries": "a relocate opens and closes no side; checked where one is (test_site_checks)",
    "event_scheduler": "a relocate changes no active side; asked for where one is changed (test_events)",
    "gtid_slave_pos": "asked for only where channels follow GTIDs (test_gtid)",
    "auto_increment_increment": "check_auto_increment says that the move does not depend on it",
    "auto_increment_offset": "check_auto_increment says that the move does not depend on it",
    "Parallel_Mode": "a setting of the node, not of the stream",
    "Max_relay_log_size": "a setting of the node, not of the stream",
    **dict.fromkeys(SEMI_SYNC_STATUS, "asked for only where rpl_semi_sync_master_enabled is ON (test_semi_sync)"),
    "Using_Gtid": "read from its own column, using_gtid",
}
"""Allowed exceptions of I14, each with its reason."""


def unknowns() -> list[Unknown]:
    """Every single fact of the two new nodes, of the clusters, and of the channel that is moved."""
    found = [Unknown(f"a2.{n}", lambda f, n=n: with_node(f, "a2", **{n: None})) for n in OPTIONAL]
    found += [Unknown(f"b2.{n}", lambda f, n=n: with_node(f, "b2", **{n: None})) for n in OPTIONAL]
    names = sorted(node_of(link(), "a2").variables.keys() - set(TOLD))
    # replication filters matter where a channel is applied: both new nodes are replicas of one direction
    found += [Unknown(f"b2.{n}", lambda f, n=n: with_variable(f, "b2", n, None)) for n in names]
    found += [Unknown(f"a2.{n}", lambda f, n=n: with_variable(f, "a2", n, None)) for n in names]
    options = sorted(_channel_of(link()).options)
    found += [Unknown(f"channel.{n}", lambda f, n=n: with_option(f, n, None)) for n in options]
    for side in ("active", "standby"):
        found.append(Unknown(f"{side}.recorded_state_uuid", lambda f, s=side: _without_uuid(f, s)))
    for name in ("a1", "a3", "b1", "b3"):
        found.append(Unknown(f"{name}.channels", lambda f, n=name: with_node(f, n, channels=None)))
        found.append(Unknown(f"{name}.reach", lambda f, n=name: down(f, n, Reach.UNKNOWN)))
    return found


def _channel_of(facts: LinkFacts) -> ChannelFacts:
    channels = node_of(facts, "b1").channels
    assert channels
    return channels[0]


def _without_uuid(facts: LinkFacts, side: str) -> LinkFacts:
    return replace(facts, **{side: replace(getattr(facts, side), recorded_state_uuid=None)})


@pytest.mark.parametrize("unknown", unknowns(), ids=lambda u: u.name)
def test_unknown_fact__anywhere__refused_unless_the_reason_is_written_down(unknown: Unknown) -> None:
    from backend.core.plans import relocate
    from tests.fakes.world import USERS

    ctx = context(unknown.change(link()))
    findings = relocate_findings(ctx)
    needless = unknown.name.partition(".")[2] in NEEDLESS
    if is_refused(findings):
        assert not needless, "the exception is not needed: take it off the list"
        return
    if needless:
        return
    # what the checks let pass must then not be expressible as a plan
    settings_missing = unknown.name.startswith("channel.")
    assert settings_missing, f"{unknown.name} is unknown and passes"
    plan = relocate.decide(ctx, findings, _proven(ctx), replication_users=USERS, options={})
    assert plan.is_refused, f"{unknown.name} is unknown and passes"
    assert plan.steps == ()


def test_unknown_facts__all_settings_that_are_only_told__pass_as_each_log_shows_what_can_be_compared() -> None:
    facts = link()
    for name in TOLD:
        facts = with_variable(with_variable(facts, "a2", name, None), "b2", name, None)
    assert not is_refused(relocate_findings(context(facts)))


def _proven(ctx: CheckContext) -> list[object]:
    from backend.core.locate.model import Located
    from backend.core.positions import FilePosition

    return [
        Located(
            direction=move.direction,
            node_id=move.source.node.id,
            node=move.source.node.name,
            receiving="x",
            read_from="x",
            position=FilePosition("mariadb-bin.000014", 328),
            seqno=1,
            gtid=None,
            is_proven=True,
            reasons=(),
            evidence=(),
        )
        for move in ctx.moves
    ]
