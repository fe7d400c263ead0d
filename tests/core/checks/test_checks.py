"""Every check: its ok, its blocker, its unknown; an unknown fact never passes, a worse one never permits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

import pytest

from backend.core.checks.context import CheckContext
from backend.core.checks.run import run_checks
from backend.core.checks.versions import check_version_of_new_link
from backend.core.findings import Finding, Severity, is_refused
from backend.core.link_facts import LinkFacts
from backend.core.plans.context import context_for
from backend.core.plans.relocate import RELOCATE_CHECKS
from backend.core.plans.remove_stray_channel import CLEAN_CHECKS
from backend.core.topology import Reach, WsrepFacts
from tests.core.builders.link_facts import (
    PAIR,
    LinkChange,
    context,
    down,
    expelled,
    link,
    refusing,
    relocate_findings,
    with_channel,
    with_node,
    with_option,
    with_second,
    with_variable,
    with_wsrep,
)
from tests.fakes.plans import context_of
from tests.fakes.world import FakeWorld


def test_checks__healthy_link__nothing_refuses_and_every_ok_is_said() -> None:
    findings = relocate_findings(context(link()))
    assert not is_refused(findings)
    assert {f.code for f in findings if f.severity is Severity.OK} >= {
        "node_reachable",
        "node_synced",
        "state_uuid_same",
        "version_fits",
        "binlog_complete",
        "loop_guard_complete",
        "single_channel",
        "replication_login_works",
        "filters_equal",
        "auto_increment_ok",
    }


def verifying(facts: LinkFacts) -> LinkFacts:
    """The forward channel verifies its source, and names no authority, as 11.4 and later do by default."""
    on = with_option(with_option(facts, "Master_SSL_Allowed", "Yes"), "Master_SSL_Verify_Server_Cert", "Yes")
    return with_option(on, "Master_SSL_CA_File", "")


BAD: tuple[tuple[str, LinkChange], ...] = (
    ("node_unreachable", lambda f: expelled(f, "a2")),
    ("node_unreachable", lambda f: down(f, "b2", Reach.HUNG)),
    ("node_unreachable", lambda f: down(f, "b2", Reach.UNKNOWN)),
    ("node_unreachable", lambda f: down(f, "b2", Reach.REFUSED)),
    ("facts_stale", lambda f: with_node(f, "a2", observed_at_s=f.observed_at_s - 11)),
    ("wsrep_unknown", lambda f: with_node(f, "a2", wsrep=None)),
    ("node_not_primary", lambda f: with_wsrep(f, "b2", cluster_status="non-Primary")),
    ("commit_order_not_guaranteed", lambda f: with_variable(f, "a3", "repl.commit_order", "0")),
    ("commit_order_unknown", lambda f: with_variable(f, "b3", "repl.commit_order", None)),
    ("wsrep_off", lambda f: with_variable(f, "b2", "wsrep_on", "OFF")),
    ("node_not_synced", lambda f: with_wsrep(f, "b2", local_state=2, state="Donor/Desynced")),
    ("node_not_synced", lambda f: with_wsrep(f, "a2", ready=False)),
    ("node_not_synced", lambda f: with_wsrep(f, "a2", connected=False)),
    ("node_not_synced", lambda f: with_wsrep(f, "a2", desync_count=1)),
    ("state_uuid_unknown", lambda f: replace(f, active=replace(f.active, recorded_state_uuid=None))),
    ("state_uuid_changed", lambda f: with_wsrep(f, "b2", state_uuid="9" * 8 + "-0000-0000-0000-000000000001")),
    ("state_uuid_changed", lambda f: with_wsrep(f, "b2", local_state_uuid="0" * 8 + "-0000-0000-0000-000000000000")),
    ("version_unknown", lambda f: with_node(f, "a2", version=None)),
    ("families_differ", lambda f: with_node(f, "a2", flavor="mysql")),
    ("server_watched_only", lambda f: with_node(f, "a2", version="12.3.1-MariaDB")),
    ("check_failed", lambda f: with_node(f, "a2", version="ten")),
    ("channel_tls_not_verifiable", lambda f: with_node(verifying(f), "b2", version="11.8.9-MariaDB")),
    ("log_bin_wrong", lambda f: with_variable(f, "a2", "log_bin", "OFF")),
    ("log_slave_updates_wrong", lambda f: with_variable(f, "b2", "log_slave_updates", "OFF")),
    ("log_slave_updates_unknown", lambda f: with_variable(f, "b2", "log_slave_updates", None)),
    ("binlog_format_wrong", lambda f: with_variable(f, "b2", "binlog_format", "STATEMENT")),
    ("row_image_unknown", lambda f: with_variable(f, "b2", "binlog_row_image", None)),
    ("origins_unknown", lambda f: with_variable(f, "b2", "gtid_binlog_state", None)),
    ("source_ignored", lambda f: with_channel(f, "b1", ignore_server_ids=(11, 21, 22, 23))),
    ("channel_source_unregistered", lambda f: with_second(f, "b3", source_host="vip.example", name="")),
    ("channel_source_unregistered", lambda f: with_second(f, "b3", source_port=4406, name="LINK1", io_running="No")),
    ("channel_source_unregistered", lambda f: with_second(f, "a2", source_host="vip", name="", source_server_id=None)),
    ("channel_reads_another_server", lambda f: with_channel(f, "b1", source_server_id=13)),
    ("server_id_on_both_sides", lambda f: with_node(f, "b3", server_id=11)),
    ("channel_sql_error", lambda f: with_channel(f, "b1", sql_errno=1062, sql_error="duplicate", sql_running="No")),
    ("channel_uses_gtid", lambda f: with_channel(f, "b1", using_gtid="Current_Pos")),
    ("gtid_not_cluster_wide", lambda f: with_channel(f, "b1", using_gtid="Slave_Pos")),
    ("gtid_server_ids_differ", lambda f: with_channel(f, "b1", using_gtid="Slave_Pos")),
    ("channel_uses_gtid", lambda f: with_channel(f, "a1", using_gtid="")),
    ("site_path_unknown", lambda f: with_channel(f, "b1", io_running="Connecting")),
    ("site_path_unknown", lambda f: with_channel(f, "a1", io_running="Preparing")),
    ("second_channel", lambda f: with_second(f, "b3")),
    ("second_channel", lambda f: with_second(f, "b3", sql_running="No", io_running="Connecting")),
    ("channels_unknown", lambda f: with_node(f, "b3", channels=None)),
    ("channels_unknown", lambda f: with_node(f, "b2", channels=None)),
    ("channels_unknown", lambda f: with_node(f, "a3", channels=None)),
    ("unreachable_node_may_run", lambda f: down(f, "b3")),
    ("unreachable_node_may_run", lambda f: down(f, "b1", Reach.HUNG)),
    ("unreachable_node_may_run", lambda f: down(f, "a3", Reach.REFUSED)),
    ("connection_name_taken", lambda f: with_second(f, "b2", source_host="10.9.9.9")),
    ("filters_unknown", lambda f: with_variable(f, "b2", "replicate_do_db", None)),
    ("filters_differ", lambda f: with_variable(f, "b2", "replicate_do_db", "shop")),
    ("filters_differ", lambda f: with_option(f, "Replicate_Ignore_Table", "shop.log")),
    ("filters_unknown", lambda f: with_option(f, "Replicate_Ignore_Table", None)),
)


@pytest.mark.parametrize(("code", "change"), BAD, ids=[f"{i}_{code}" for i, (code, _) in enumerate(BAD)])
def test_check__fact_bad_or_unknown__refused_by_name(code: str, change: LinkChange) -> None:
    assert code in refusing(context(change(link())))


def test_check_version__replica_older_in_an_existing_link__warned_of_with_what_is_known() -> None:
    """Two-way links are like that until both sides are upgraded; a blocker would leave them without help."""
    findings = relocate_findings(context(with_node(link(), "a2", version="11.8.9-MariaDB")))
    (older,) = [finding for finding in findings if finding.code == "replica_older"]
    assert older.severity is Severity.WARNING
    assert not is_refused(findings)
    assert "from 11.8 to 10.11 was tested with Hawser" in older.message
    assert "VECTOR column stops the channel with error 4161" in older.message
    assert older.facts["is_tested"] is True


def test_check_version__pair_that_was_not_tested__says_so_and_only_what_differs() -> None:
    facts = with_node(with_node(link(), "a2", version="11.4.5-MariaDB"), "b2", version="10.11.19-MariaDB")
    (older,) = [f for f in relocate_findings(context(facts)) if f.code == "replica_older"]
    assert "from 11.4 to 10.11 was not tested with Hawser" in older.message
    assert older.facts["known"] == []


def test_check_filters__release_that_does_not_tell_one__warned_and_not_refused() -> None:
    """10.5 has replicate-rewrite-db and shows it neither as a variable nor in a channel's status."""
    facts = link()
    for name in ("b1", "b2"):
        facts = with_node(facts, name, version="10.5.23-MariaDB-log")
    facts = with_variable(with_option(facts, "Replicate_Rewrite_DB", None), "b2", "replicate_rewrite_db", "")
    findings = relocate_findings(context(facts))
    assert [f.severity for f in findings if f.code == "filters_hidden"] == [Severity.WARNING]
    assert "filters_unknown" not in {f.code for f in findings}
    newer = with_option(link(), "Replicate_Rewrite_DB", None)
    assert "filters_unknown" in refusing(context(newer))


def test_check_default_collations__one_release_has_others_compiled_in__warned() -> None:
    """As between 10.11 and 11.8 with their defaults; 10.11 has no character_set_collations."""
    newer = with_variable(link(), "a2", "character_set_collations", "utf8mb4=utf8mb4_uca1400_ai_ci")
    (found,) = [f for f in relocate_findings(context(newer)) if f.code == "default_collation_differs"]
    assert found.severity is Severity.WARNING
    assert found.facts == {"character_set_collations": {"a2": "utf8mb4=utf8mb4_uca1400_ai_ci", "b2": ""}}


@pytest.mark.parametrize(("a2", "b2", "differs"), [("x", "x", False), ("x", "y", True), ("x", None, False)])
def test_check_default_collations__of_the_servers__compared_where_both_tell(
    a2: str | None, b2: str | None, *, differs: bool
) -> None:
    facts = with_variable(with_variable(link(), "a2", "collation_server", a2), "b2", "collation_server", b2)
    assert ("default_collation_differs" in {f.code for f in relocate_findings(context(facts))}) is differs


def test_check_channel_tls__both_prove_themselves_by_the_password__told_what_it_does_not_prove() -> None:
    facts = verifying(link())
    for name in ("a2", "b2"):
        facts = with_node(facts, name, version="11.8.9-MariaDB")
    assert [f.severity for f in relocate_findings(context(facts)) if f.code == "channel_tls_without_ca"] == [
        Severity.INFO
    ]
    named = with_option(facts, "Master_SSL_CA_File", "/etc/mysql/ca.pem")
    assert "channel_tls_without_ca" not in {f.code for f in relocate_findings(context(named))}


def _certified(facts: LinkFacts) -> LinkFacts:
    """The forward channel shows a client certificate."""
    with_cert = with_option(facts, "Master_SSL_Cert", "/etc/mysql/repl.pem")
    return with_option(with_cert, "Master_SSL_Key", "/etc/mysql/repl.key")


def test_check_channel_files__replica_of_a_client_certificate_moves__its_files_are_told_as_unknown() -> None:
    facts = with_option(with_option(link(), "Master_SSL_Allowed", "Yes"), "Master_SSL_CA_File", "/etc/mysql/ca.pem")
    assert "channel_files_unseen" not in {f.code for f in relocate_findings(context(facts))}
    found = [f for f in relocate_findings(context(_certified(facts))) if f.code == "channel_files_unseen"]
    files = ["/etc/mysql/ca.pem", "/etc/mysql/repl.pem", "/etc/mysql/repl.key"]
    assert [(f.severity, f.facts) for f in found] == [(Severity.WARNING, {"node": "b2", "files": files})]
    plain = with_option(_certified(facts), "Master_SSL_Allowed", "No")
    assert "channel_files_unseen" not in {f.code for f in relocate_findings(context(plain))}


def test_check_version__new_link__older_replica_refused() -> None:
    (older,) = [f for f in check_version_of_new_link(context(with_node(link(), "a2", version="11.8.9-MariaDB")))
                if f.code == "replica_older"]  # fmt: skip
    assert older.severity is Severity.BLOCKER


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
    findings = relocate_findings(context(link(), requires_approval=True))
    assert [f.severity for f in findings if f.code == "approval_needed"] == [Severity.INFO]
    assert not is_refused(findings)


def test_check_server_ids__node_never_seen__refused() -> None:
    world = FakeWorld.classic()
    world.kill("a3")
    world.forgotten_ids.add("n_a3")
    assert refusing(context(world.facts())) == {"server_id_unknown"}


def test_check_server_ids__dead_node_seen_before__its_id_still_guards() -> None:
    world = FakeWorld.classic()
    world.kill("a3")
    facts = world.facts()
    assert 13 in facts.active.server_ids
    assert refusing(context(facts)) == set()


def test_check_channel_known__no_channel_seen_or_recorded__refused() -> None:
    world = FakeWorld.classic()
    world.recorded = []
    world.kill("b1")
    assert "channel_unknown" in refusing(context(world.facts()))


def test_check_unseen__expelled_by_the_primary_component__passes() -> None:
    assert refusing(context(expelled(link(), "b3"))) == set()


def test_check_unseen__component_sizes_disagree__refused() -> None:
    facts = with_wsrep(expelled(link(), "b3"), "b1", cluster_size=3)
    assert "unreachable_node_may_run" in refusing(context(facts))


def test_check_unseen__component_larger_than_what_we_see__refused() -> None:
    facts = expelled(link(), "b3")
    for name in ("b1", "b2"):
        facts = with_wsrep(facts, name, cluster_size=3, conf_id=9)
    assert "unreachable_node_may_run" in refusing(context(facts))


def test_check_unseen__attested_by_a_person__warned_not_refused() -> None:
    ctx = context(down(link(), "b3"), attested_fenced=["n_b3"])
    findings = [f for f in relocate_findings(ctx) if f.code == "unreachable_node_attested"]
    assert [f.severity for f in findings] == [Severity.WARNING]
    assert refusing(ctx) == set()


def test_check_unseen__another_node_attested__still_refused() -> None:
    assert "unreachable_node_may_run" in refusing(context(down(link(), "b3"), attested_fenced=["n_b2"]))


def test_check_sites__way_attested_by_a_person__warned_not_refused() -> None:
    ctx = context(with_channel(link(), "b1", io_running="Connecting"), attested_path=True)
    assert [f.severity for f in relocate_findings(ctx) if f.code == "site_path_attested"] == [Severity.WARNING]
    assert refusing(ctx) == set()


def test_check_sites__source_itself_is_down__the_way_is_not_in_question() -> None:
    facts = with_channel(expelled(link(), "a1"), "b1", io_running="Connecting")
    assert "site_path_unknown" not in refusing(context(facts))


def test_check_sites__server_names_an_error__it_is_said() -> None:
    refused = {"io_running": "Connecting", "io_errno": 1045, "io_error": "Access denied for user 'repl_a'"}
    findings = relocate_findings(context(with_channel(link(), "b1", **refused)))
    (finding,) = [f for f in findings if f.code == "site_path_unknown"]
    assert "(error 1045: Access denied for user 'repl_a')" in finding.message


def test_check_second_channel__stopped_leftover__warned_not_refused() -> None:
    facts = with_second(link(), "b3", io_running="No", sql_running="No")
    findings = relocate_findings(context(facts))
    assert [f.severity for f in findings if f.code == "stray_channel"] == [Severity.WARNING]
    assert not is_refused(findings)


def test_check_not_there_already__channels_stand_there_and_run__refused() -> None:
    world = FakeWorld.classic()
    assert {f.code for f in relocate_findings(context_of(world, "a1", "b1")) if f.refuses} == {"already_there"}


def test_check_auto_increment__overlap__warned() -> None:
    facts = with_variable(link(), "b2", "auto_increment_offset", "1")
    assert "auto_increment_overlap" in {
        f.code for f in relocate_findings(context(facts)) if f.severity is Severity.WARNING
    }


def test_check_auto_increment__unknown__not_called_apart() -> None:
    codes = {f.code for f in relocate_findings(context(with_variable(link(), "b2", "auto_increment_offset", None)))}
    assert "auto_increment_ok" not in codes
    assert "auto_increment_unknown" in codes


def test_check_clock__skewed_or_unread__warned_never_refused() -> None:
    for offset, code in ((9.0, "clock_skew"), (-9.0, "clock_skew"), (None, "clock_unknown")):
        findings = relocate_findings(context(with_node(link(), "a2", clock_offset_s=offset)))
        assert code in {f.code for f in findings}
        assert not is_refused(findings)


def test_run_checks__a_check_raises__refused_not_passed() -> None:
    def check_broken(_: CheckContext) -> Iterator[Finding]:
        yield Finding("fine", Severity.OK, "fine")
        raise KeyError("a case that was forgotten")

    findings = run_checks(context(link()), (check_broken,))
    assert is_refused(findings)
    assert "check_broken" in findings[-1].message


def test_clean_checks__another_run_unfinished__refused() -> None:
    assert is_refused(run_checks(context(link(), unfinished_run_id="r_1"), CLEAN_CHECKS))


def _in_another_history(facts: LinkFacts, *names: str) -> LinkFacts:
    for name in names:
        facts = with_wsrep(facts, name, state_uuid="9" * 8 + "-0000-0000-0000-000000000001")
    return facts


SOLE: dict[str, LinkChange] = {
    "check_reachable": lambda f: with_node(f, "a2", observed_at_s=f.observed_at_s - 11),
    "check_primary": lambda f: with_wsrep(f, "b2", cluster_status="non-Primary"),
    "check_state_uuid": lambda f: _in_another_history(f, "b1", "b2", "b3"),
    "check_servers": lambda f: with_node(f, "a2", version="12.3.1-MariaDB"),
    "check_version": lambda f: with_node(f, "a2", version=None),
    "check_binlog": lambda f: with_variable(f, "b2", "log_slave_updates", "OFF"),
    "check_commit_order": lambda f: with_variable(f, "a3", "repl.commit_order", "0"),
    "check_log_settings": lambda f: with_variable(f, "b2", "binlog_row_image", None),
    "check_server_ids": lambda f: with_node(f, "b3", server_id=11),
    "check_channel_errors": lambda f: with_channel(f, "b1", sql_errno=1062, sql_running="No"),
    "check_gtid_mode": lambda f: with_channel(f, "b1", using_gtid="Slave_Pos"),
    "check_sites_connected": lambda f: with_channel(f, "b1", io_running="Connecting"),
    "check_second_channel": lambda f: with_second(f, "b3"),
    "check_unreachable_holders": lambda f: down(f, "b1", Reach.HUNG),
    "check_connection_name_free": lambda f: with_second(f, "b2", source_host="10.9.9.9", source_server_id=900),
    "check_origins": lambda f: with_variable(f, "b3", "gtid_binlog_state", None),
    "check_channel_ends": lambda f: with_second(f, "b3", source_host="10.9.9.9", name=""),
    "check_filters": lambda f: with_variable(f, "b2", "replicate_do_db", "shop"),
}
"""For each check a fact that nothing else catches: without the check the move would be permitted."""


@pytest.mark.parametrize("name", SOLE)
def test_check__left_out__what_it_alone_catches_passes(name: str) -> None:
    ctx = context(SOLE[name](link()))
    assert is_refused(relocate_findings(ctx))
    without = [check for check in RELOCATE_CHECKS if check.__name__ != name]
    assert len(without) == len(RELOCATE_CHECKS) - 1
    assert not is_refused(run_checks(ctx, without))


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
