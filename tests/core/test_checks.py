"""Every check: its ok, its blocker, its unknown; an unknown fact never passes, a worse one never permits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace

import pytest

from backend.core.checks.context import CheckContext, Pair
from backend.core.checks.registry import CLEAN_CHECKS, RELOCATE_CHECKS, run_checks
from backend.core.findings import Finding, Severity, is_refused
from backend.core.plans.context import context_for
from backend.core.topology import ChannelFacts, ClusterFacts, LinkFacts, NodeFacts, Reach, WsrepFacts
from tests.fakes.driver import context_of
from tests.fakes.world import FakeWorld

LinkChange = Callable[[LinkFacts], LinkFacts]
PAIR = Pair("n_a2", "n_b2")


def link() -> LinkFacts:
    """A link that may be relocated onto a2 and b2."""
    return FakeWorld().classic().facts()


def context(facts: LinkFacts, **more: object) -> CheckContext:
    """The context of that move, all logins having worked."""
    logins: dict[str, str | None] = {"n_a2": None, "n_b2": None}
    return context_for(facts, PAIR, now_s=facts.observed_at_s, **({"replication_logins": logins} | more))  # type: ignore[arg-type]


def refusing(ctx: CheckContext) -> set[str]:
    """Codes of the findings that refuse."""
    return {f.code for f in run_checks(ctx) if f.refuses}


def with_node(facts: LinkFacts, name: str, **changes: object) -> LinkFacts:
    """The link with some facts of one node replaced."""
    return replace(facts, active=_cluster(facts.active, name, changes), standby=_cluster(facts.standby, name, changes))


def _cluster(cluster: ClusterFacts, name: str, changes: dict[str, object]) -> ClusterFacts:
    nodes = tuple(replace(n, **changes) if n.node.name == name else n for n in cluster.nodes)  # type: ignore[arg-type]
    return replace(cluster, nodes=nodes)


def node_of(facts: LinkFacts, name: str) -> NodeFacts:
    """By name."""
    return next(n for n in facts.nodes if n.node.name == name)


def with_wsrep(facts: LinkFacts, name: str, **changes: object) -> LinkFacts:
    """Galera's status changed."""
    wsrep = node_of(facts, name).wsrep
    assert wsrep is not None
    return with_node(facts, name, wsrep=replace(wsrep, **changes))  # type: ignore[arg-type]


def with_variable(facts: LinkFacts, name: str, variable: str, value: str | None) -> LinkFacts:
    """One variable changed, or (None) not known."""
    known = {k: v for k, v in node_of(facts, name).variables.items() if k != variable}
    return with_node(facts, name, variables=known if value is None else known | {variable: value})


def with_channel(facts: LinkFacts, name: str, **changes: object) -> LinkFacts:
    """The node's channel changed."""
    channels = node_of(facts, name).channels
    assert channels
    return with_node(facts, name, channels=(replace(channels[0], **changes),))  # type: ignore[arg-type]


def with_second(facts: LinkFacts, name: str, **changes: object) -> LinkFacts:
    """A copy of the forward channel on another node."""
    channels = node_of(facts, "b1").channels
    assert channels
    return with_node(facts, name, channels=(replace(channels[0], **changes),))  # type: ignore[arg-type]


def down(facts: LinkFacts, name: str, reach: Reach = Reach.DOWN) -> LinkFacts:
    """Not seen, and still counted by its cluster."""
    node = node_of(facts, name)
    dark = NodeFacts(node.node, node.observed_at_s, reach, error="no answer")
    return with_node(facts, name, **{f.name: getattr(dark, f.name) for f in fields(NodeFacts)})


def expelled(facts: LinkFacts, name: str) -> LinkFacts:
    """Not seen, and the survivors form a component without it."""
    facts = down(facts, name)
    cluster = facts.active if name.startswith("a") else facts.standby
    for node in cluster.nodes:
        if node.is_up:
            facts = with_wsrep(facts, node.node.name, cluster_size=2, conf_id=9)
    return facts


def test_checks__healthy_link__nothing_refuses_and_every_ok_is_said() -> None:
    findings = run_checks(context(link()))
    assert not is_refused(findings)
    assert {f.code for f in findings if f.severity is Severity.OK} >= {
        "node_reachable",
        "node_synced",
        "state_uuid_same",
        "version_fits",
        "binlog_complete",
        "loop_guard_complete",
        "one_channel",
        "replication_login_works",
        "filters_equal",
        "auto_increment_apart",
    }


BAD: tuple[tuple[str, LinkChange], ...] = (
    ("node_unreachable", lambda f: expelled(f, "a2")),
    ("node_unreachable", lambda f: down(f, "b2", Reach.HUNG)),
    ("node_unreachable", lambda f: down(f, "b2", Reach.UNKNOWN)),
    ("node_unreachable", lambda f: down(f, "b2", Reach.REFUSED)),
    ("facts_stale", lambda f: with_node(f, "a2", observed_at_s=f.observed_at_s - 11)),
    ("wsrep_unknown", lambda f: with_node(f, "a2", wsrep=None)),
    ("node_not_primary", lambda f: with_wsrep(f, "b2", cluster_status="non-Primary")),
    ("node_not_synced", lambda f: with_wsrep(f, "b2", local_state=2, state="Donor/Desynced")),
    ("node_not_synced", lambda f: with_wsrep(f, "a2", ready=False)),
    ("node_not_synced", lambda f: with_wsrep(f, "a2", connected=False)),
    ("node_not_synced", lambda f: with_wsrep(f, "a2", desync_count=1)),
    ("state_uuid_unknown", lambda f: replace(f, active=replace(f.active, recorded_state_uuid=None))),
    ("state_uuid_changed", lambda f: with_wsrep(f, "b2", state_uuid="9" * 8 + "-0000-0000-0000-000000000001")),
    ("state_uuid_changed", lambda f: with_wsrep(f, "b2", local_state_uuid="0" * 8 + "-0000-0000-0000-000000000000")),
    ("version_unknown", lambda f: with_node(f, "a2", version=None)),
    ("version_unknown", lambda f: with_node(f, "a2", flavor="mysql")),
    ("replica_older", lambda f: with_node(f, "a2", version="11.4.2-MariaDB")),
    ("check_failed", lambda f: with_node(f, "a2", version="ten")),
    ("log_bin_wrong", lambda f: with_variable(f, "a2", "log_bin", "OFF")),
    ("log_slave_updates_wrong", lambda f: with_variable(f, "b2", "log_slave_updates", "OFF")),
    ("log_slave_updates_unknown", lambda f: with_variable(f, "b2", "log_slave_updates", None)),
    ("binlog_format_wrong", lambda f: with_variable(f, "b2", "binlog_format", "STATEMENT")),
    ("row_image_unknown", lambda f: with_variable(f, "b2", "binlog_row_image", None)),
    ("server_id_on_both_sides", lambda f: with_node(f, "b3", server_id=11)),
    ("channel_sql_error", lambda f: with_channel(f, "b1", sql_errno=1062, sql_error="duplicate", sql_running="No")),
    ("channel_uses_gtid", lambda f: with_channel(f, "b1", using_gtid="Current_Pos")),
    ("gtid_not_cluster_wide", lambda f: with_channel(f, "b1", using_gtid="Slave_Pos")),
    ("gtid_server_ids_differ", lambda f: with_channel(f, "b1", using_gtid="Slave_Pos")),
    ("channel_uses_gtid", lambda f: with_channel(f, "a1", using_gtid="")),
    ("way_between_sites_unknown", lambda f: with_channel(f, "b1", io_running="Connecting")),
    ("way_between_sites_unknown", lambda f: with_channel(f, "a1", io_running="Preparing")),
    ("second_channel", lambda f: with_second(f, "b3")),
    ("second_channel", lambda f: with_second(f, "b3", sql_running="No", io_running="Connecting")),
    ("channels_unknown", lambda f: with_node(f, "b3", channels=None)),
    ("channels_unknown", lambda f: with_node(f, "b2", channels=None)),
    ("channels_unknown", lambda f: with_node(f, "a3", channels=None)),
    ("unseen_node_may_run", lambda f: down(f, "b3")),
    ("unseen_node_may_run", lambda f: down(f, "b1", Reach.HUNG)),
    ("unseen_node_may_run", lambda f: down(f, "a3", Reach.REFUSED)),
    ("connection_name_taken", lambda f: with_second(f, "b2", source_host="10.9.9.9")),
    ("filters_unknown", lambda f: with_variable(f, "b2", "replicate_do_db", None)),
    ("filters_differ", lambda f: with_variable(f, "b2", "replicate_do_db", "shop")),
    ("filters_differ", lambda f: _with_option(f, "Replicate_Ignore_Table", "shop.log")),
    ("filters_unknown", lambda f: _with_option(f, "Replicate_Ignore_Table", None)),
)


def _with_option(facts: LinkFacts, name: str, value: str | None) -> LinkFacts:
    channels = node_of(facts, "b1").channels
    assert channels
    options = {k: v for k, v in channels[0].options.items() if k != name} | ({} if value is None else {name: value})
    return with_channel(facts, "b1", options=options)


@pytest.mark.parametrize(("code", "change"), BAD, ids=[f"{i}_{code}" for i, (code, _) in enumerate(BAD)])
def test_check__fact_bad_or_unknown__refused_by_name(code: str, change: LinkChange) -> None:
    assert code in refusing(context(change(link())))


@pytest.mark.parametrize(
    ("code", "more"),
    [
        ("run_unfinished", {"unfinished_run_id": "r_1"}),
        ("replication_login_unknown", {"replication_logins": {"n_a2": None}}),
        ("replication_login_unknown", {"replication_logins": {}}),
        ("replication_login_refused", {"replication_logins": {"n_a2": None, "n_b2": "access denied"}}),
        ("facts_stale", {"now_s": link().observed_at_s + 11}),
    ],
)
def test_check__console_side_bad_or_unknown__refused_by_name(code: str, more: dict[str, object]) -> None:
    facts = link()
    defaults: dict[str, object] = {"now_s": facts.observed_at_s, "replication_logins": {"n_a2": None, "n_b2": None}}
    ctx = context_for(facts, PAIR, **(defaults | more))  # type: ignore[arg-type]
    assert code in refusing(ctx)


def test_check_approval__link_asks_for_it__said_beforehand_not_refused() -> None:
    findings = run_checks(context(link(), requires_approval=True))
    assert [f.severity for f in findings if f.code == "approval_needed"] == [Severity.INFO]
    assert not is_refused(findings)


def test_check_server_ids__node_never_seen__refused() -> None:
    world = FakeWorld().classic()
    world.lose("a3")
    world.forgotten_ids.add("n_a3")
    assert refusing(context(world.facts())) == {"server_id_unknown"}


def test_check_server_ids__dead_node_seen_before__its_id_still_guards() -> None:
    world = FakeWorld().classic()
    world.lose("a3")
    facts = world.facts()
    assert 13 in facts.active.server_ids
    assert refusing(context(facts)) == set()


def test_check_channel_known__no_channel_seen_or_recorded__refused() -> None:
    world = FakeWorld().classic()
    world.recorded = []
    world.lose("b1")
    assert "channel_unknown" in refusing(context(world.facts()))


def test_check_unseen__expelled_by_the_primary_component__passes() -> None:
    assert refusing(context(expelled(link(), "b3"))) == set()


def test_check_unseen__component_sizes_disagree__refused() -> None:
    facts = with_wsrep(expelled(link(), "b3"), "b1", cluster_size=3)
    assert "unseen_node_may_run" in refusing(context(facts))


def test_check_unseen__component_larger_than_what_we_see__refused() -> None:
    facts = expelled(link(), "b3")
    for name in ("b1", "b2"):
        facts = with_wsrep(facts, name, cluster_size=3, conf_id=9)
    assert "unseen_node_may_run" in refusing(context(facts))


def test_check_unseen__attested_by_a_person__warned_not_refused() -> None:
    ctx = context(down(link(), "b3"), attested_fenced=["n_b3"])
    findings = [f for f in run_checks(ctx) if f.code == "unseen_node_attested"]
    assert [f.severity for f in findings] == [Severity.WARNING]
    assert refusing(ctx) == set()


def test_check_unseen__another_node_attested__still_refused() -> None:
    assert "unseen_node_may_run" in refusing(context(down(link(), "b3"), attested_fenced=["n_b2"]))


def test_check_sites__way_attested_by_a_person__warned_not_refused() -> None:
    ctx = context(with_channel(link(), "b1", io_running="Connecting"), attested_path=True)
    assert [f.severity for f in run_checks(ctx) if f.code == "way_attested"] == [Severity.WARNING]
    assert refusing(ctx) == set()


def test_check_sites__source_itself_is_gone__the_way_is_not_in_question() -> None:
    facts = with_channel(expelled(link(), "a1"), "b1", io_running="Connecting")
    assert "way_between_sites_unknown" not in refusing(context(facts))


def test_check_second_channel__stopped_leftover__warned_not_refused() -> None:
    facts = with_second(link(), "b3", io_running="No", sql_running="No")
    findings = run_checks(context(facts))
    assert [f.severity for f in findings if f.code == "leftover_channel"] == [Severity.WARNING]
    assert not is_refused(findings)


def test_check_not_there_already__channels_stand_there_and_run__refused() -> None:
    world = FakeWorld().classic()
    assert {f.code for f in run_checks(context_of(world, "a1", "b1")) if f.refuses} == {"already_there"}


def test_check_auto_increment__overlap__warned() -> None:
    facts = with_variable(link(), "b2", "auto_increment_offset", "1")
    assert "auto_increment_overlap" in {f.code for f in run_checks(context(facts)) if f.severity is Severity.WARNING}


def test_check_auto_increment__unknown__not_called_apart() -> None:
    codes = {f.code for f in run_checks(context(with_variable(link(), "b2", "auto_increment_offset", None)))}
    assert "auto_increment_apart" not in codes
    assert "auto_increment_unknown" in codes


def test_check_clock__skewed_or_unread__warned_never_refused() -> None:
    for offset, code in ((9.0, "clock_skew"), (-9.0, "clock_skew"), (None, "clock_unknown")):
        findings = run_checks(context(with_node(link(), "a2", clock_offset_s=offset)))
        assert code in {f.code for f in findings}
        assert not is_refused(findings)


def test_run_checks__a_check_raises__refused_not_passed() -> None:
    def check_broken(_: CheckContext) -> Iterator[Finding]:
        yield Finding("fine", Severity.OK, "fine")
        raise KeyError("nobody thought of it")

    findings = run_checks(context(link()), (check_broken,))
    assert is_refused(findings)
    assert "check_broken" in findings[-1].message


def test_clean_checks__another_run_unfinished__refused() -> None:
    assert is_refused(run_checks(context(link(), unfinished_run_id="r_1"), CLEAN_CHECKS))


SOLE: dict[str, LinkChange] = {
    "check_reachable": lambda f: with_node(f, "a2", observed_at_s=f.observed_at_s - 11),
    "check_primary": lambda f: with_wsrep(f, "b2", cluster_status="non-Primary"),
    "check_state_uuid": lambda f: with_wsrep(f, "b2", state_uuid="9" * 8 + "-0000-0000-0000-000000000001"),
    "check_version": lambda f: with_node(f, "a2", version="11.4.2-MariaDB"),
    "check_binlog": lambda f: with_variable(f, "b2", "log_slave_updates", "OFF"),
    "check_row_image": lambda f: with_variable(f, "b2", "binlog_row_image", None),
    "check_server_ids": lambda f: with_node(f, "b3", server_id=11),
    "check_channel_errors": lambda f: with_channel(f, "b1", sql_errno=1062, sql_running="No"),
    "check_gtid_mode": lambda f: with_channel(f, "b1", using_gtid="Slave_Pos"),
    "check_sites_reach_each_other": lambda f: with_channel(f, "b1", io_running="Connecting"),
    "check_second_channel": lambda f: with_second(f, "b3"),
    "check_unseen_holders": lambda f: down(f, "b1", Reach.HUNG),
    "check_connection_name_free": lambda f: with_second(f, "b2", source_host="10.9.9.9"),
    "check_filters": lambda f: with_variable(f, "b2", "replicate_do_db", "shop"),
}
"""For each check a fact that nothing else catches: without the check the move would be permitted."""


@pytest.mark.parametrize("name", SOLE)
def test_check__left_out__what_it_alone_catches_passes(name: str) -> None:
    ctx = context(SOLE[name](link()))
    assert is_refused(run_checks(ctx))
    without = [check for check in RELOCATE_CHECKS if check.__name__ != name]
    assert len(without) == len(RELOCATE_CHECKS) - 1
    assert not is_refused(run_checks(ctx, without))


# -- I14: an unknown never passes


@dataclass(frozen=True, slots=True)
class Unknown:
    """One fact taken away."""

    name: str
    change: LinkChange


NEEDLESS = {
    # fact: why a relocate does not need it (the check says so itself, or position is proven otherwise)
    "hostname": "shown to people only",
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
    "gtid_slave_pos": "asked for only where channels follow GTIDs (test_gtid)",
    "auto_increment_increment": "check_auto_increment says that the move does not depend on it",
    "auto_increment_offset": "check_auto_increment says that the move does not depend on it",
    "Parallel_Mode": "a setting of the node, not of the stream",
    "Max_relay_log_size": "a setting of the node, not of the stream",
    "Using_Gtid": "read from its own column, using_gtid",
}
"""Allowed exceptions of I14, each with its reason."""


def unknowns() -> list[Unknown]:
    """Every single fact of the two new nodes, of the clusters, and of the channel that is moved."""
    found = [Unknown(f"a2.{n}", lambda f, n=n: with_node(f, "a2", **{n: None})) for n in _OPTIONAL]
    found += [Unknown(f"b2.{n}", lambda f, n=n: with_node(f, "b2", **{n: None})) for n in _OPTIONAL]
    names = sorted(node_of(link(), "a2").variables)
    # replication filters matter where a channel is applied: both new nodes are replicas of one direction
    found += [Unknown(f"b2.{n}", lambda f, n=n: with_variable(f, "b2", n, None)) for n in names]
    found += [Unknown(f"a2.{n}", lambda f, n=n: with_variable(f, "a2", n, None)) for n in names]
    options = sorted(_channel_of(link()).options)
    found += [Unknown(f"channel.{n}", lambda f, n=n: _with_option(f, n, None)) for n in options]
    for side in ("active", "standby"):
        found.append(Unknown(f"{side}.recorded_state_uuid", lambda f, s=side: _without_uuid(f, s)))
    for name in ("a1", "a3", "b1", "b3"):
        found.append(Unknown(f"{name}.channels", lambda f, n=name: with_node(f, n, channels=None)))
        found.append(Unknown(f"{name}.reach", lambda f, n=name: down(f, n, Reach.UNKNOWN)))
    return found


_OPTIONAL = (
    "flavor",
    "version",
    "server_id",
    "hostname",
    "wsrep",
    "channels",
    "binlog",
    "clock_offset_s",
    "uptime_s",
    "probe_ms",
)


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
    findings = run_checks(ctx)
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


# -- I15: worse never permits


@pytest.mark.parametrize(("code", "first"), BAD, ids=[f"{i}_{code}" for i, (code, _) in enumerate(BAD)])
def test_refused__any_further_fact_gets_worse__still_refused(code: str, first: LinkChange) -> None:
    facts = first(link())
    for _, second in BAD:
        try:
            worse = second(facts)
        except AssertionError:
            continue  # the fact to make worse is already unknown
        assert refusing(context(worse)), code


def test_wsrep_facts__each_made_worse__never_from_refused_to_permitted() -> None:
    worse: dict[str, object] = {
        "cluster_status": "non-Primary",
        "local_state": 1,
        "ready": False,
        "connected": False,
        "state_uuid": "9" * 8 + "-0000-0000-0000-000000000001",
        "local_state_uuid": "9" * 8 + "-0000-0000-0000-000000000001",
        "desync_count": 2,
    }
    assert set(worse) <= {f.name for f in fields(WsrepFacts)}
    for name, value in worse.items():
        assert refusing(context(with_wsrep(link(), "a2", **{name: value}))), name
        assert refusing(context(with_wsrep(link(), "b2", **{name: value}))), name


def test_registry__order_and_content__as_operators_read_them() -> None:
    names = [check.__name__ for check in RELOCATE_CHECKS]
    assert names[0] == "check_no_other_run"
    assert len(names) == len(set(names))
