"""Settings of nodes against the table: on a link's page, and in plans."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.core.checks.run import run_checks
from backend.core.facts.judged_settings import settings_on_page
from backend.core.findings import Severity
from backend.core.link_facts import LinkFacts
from backend.core.link_state import History, LinkState, derive
from backend.core.plans.failover import FAILOVER_CHECKS
from backend.core.plans.switchover import SWITCHOVER_CHECKS
from tests.core.builders.link_facts import context, down, link, refusing, relocate_findings, with_node, with_variable
from tests.fakes.plans import plan_relocate, sound
from tests.fakes.world import FakeWorld

Found = list[tuple[str, Severity, object]]
ROWS_LEFT_OUT = (
    ("binlog_do_db", "app1", "log_filter_set"),
    ("binlog_ignore_db", "app2", "log_filter_set"),
    ("slave_exec_mode", "IDEMPOTENT", "errors_skipped"),
    ("slave_skip_errors", "1062", "errors_skipped"),
    ("slave_skip_errors", "ddl_exist_errors", "errors_skipped"),
    ("sql_slave_skip_counter", "1", "errors_skipped"),
    ("replicate_events_marked_for_skip", "FILTER_ON_MASTER", "setting_not_allowed"),
    ("slave_run_triggers_for_rbr", "YES", "setting_not_allowed"),
    ("slave_type_conversions", "ALL_NON_LOSSY,ALL_LOSSY", "setting_not_allowed"),
    ("tx_read_only", "ON", "setting_not_allowed"),
    ("init_slave", "SET SESSION sql_log_bin=0", "setting_not_allowed"),
    ("init_connect", "SET @@wsrep_on=OFF", "setting_not_allowed"),
    ("wsrep_osu_method", "RSU", "setting_not_allowed"),
    ("wsrep_forced_binlog_format", "STATEMENT", "setting_not_allowed"),
)


def on_page(facts: LinkFacts) -> Found:
    """Code, severity, and the node or variable that each finding names."""
    found = settings_on_page(facts)
    return [(one.code, one.severity, one.facts["node"]) for one in found if "node" in one.facts]


def test_page__healthy_link__nothing() -> None:
    assert list(settings_on_page(link())) == []


@pytest.mark.parametrize("node", ["a3", "b1"])
@pytest.mark.parametrize(("variable", "value", "code"), ROWS_LEFT_OUT)
def test_page__rows_left_out_or_changed_on_any_node__told_while_all_is_well(
    variable: str, value: str, code: str, node: str
) -> None:
    assert on_page(with_variable(link(), node, variable, value)) == [(code, Severity.BLOCKER, node)]


@pytest.mark.parametrize(("variable", "value", "code"), ROWS_LEFT_OUT)
def test_plan__node_that_it_uses__refused_with_variable_value_and_remedy(variable: str, value: str, code: str) -> None:
    for node in ("a2", "b2"):
        findings = relocate_findings(context(with_variable(link(), node, variable, value)))
        (found,) = [one for one in findings if one.refuses]
        assert found.code == code
        assert f"{node} has {variable}={value}. " in found.message
        assert node in found.remedy
        assert variable in found.remedy
        unknown = "log_filter_unknown" if code == "log_filter_set" else "setting_unknown"
        assert refusing(context(with_variable(link(), node, variable, None))) == {unknown}


@pytest.mark.parametrize(
    ("variable", "code"),
    [
        *((variable, "setting_unknown") for variable, _, code in ROWS_LEFT_OUT if code != "log_filter_set"),
        ("binlog_ignore_db", "log_filter_unknown"),
        ("binlog_format", "binlog_format_unknown"),
        ("binlog_row_image", "row_image_unknown"),
        ("repl.commit_order", "commit_order_unknown"),
        ("replicate_wild_ignore_table", "filters_unknown"),
        ("slave_max_allowed_packet", "setting_unknown"),
        ("max_allowed_packet", "setting_unknown"),
    ],
)
def test_page__value_that_a_node_does_not_tell__said_before_a_plan_needs_it(variable: str, code: str) -> None:
    facts = with_variable(link(), "b3", variable, None)
    (found,) = settings_on_page(facts)
    assert (found.code, found.severity, found.facts["node"]) == (code, Severity.UNKNOWN, "b3")
    assert found.message == f"b3 does not tell {variable}. A plan that needs the node is refused."
    assert found.remedy
    used = with_variable(with_variable(link(), "b2", variable, None), "a2", variable, None)
    assert code in refusing(context(used))


def test_page__node_that_tells_nothing__one_finding_for_each_code() -> None:
    found = settings_on_page(with_node(link(), "b3", variables={}))
    codes = [one.code for one in found]
    assert len(codes) == len(set(codes))
    assert {one.severity for one in found} == {Severity.UNKNOWN}


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("slave_exec_mode", "strict"),
        ("slave_skip_errors", "0"),
        ("slave_type_conversions", "ALL_NON_LOSSY"),
        ("init_connect", "SET NAMES utf8mb4"),
        ("init_slave", "SET time_zone='+00:00'"),
        ("wsrep_forced_binlog_format", "ROW"),
    ],
)
def test_plan__another_harmless_value__allowed(variable: str, value: str) -> None:
    assert refusing(context(with_variable(link(), "b2", variable, value))) == set()


def test_skip_counter__no_option_of_a_file__none_is_named() -> None:
    """A server with an option that it does not know does not start."""
    (found,) = settings_on_page(with_variable(link(), "b1", "sql_slave_skip_counter", "1"))
    assert "Run SET GLOBAL sql_slave_skip_counter = 0 on b1" in found.remedy
    assert "configuration" not in found.remedy


def test_switchover__present_source_filters_its_log__refused() -> None:
    facts = with_variable(link(), "a2", "binlog_do_db", "app1")
    assert "log_filter_set" in {one.code for one in run_checks(context(facts), SWITCHOVER_CHECKS) if one.refuses}


def test_failover__survivor_skips_errors__warned_and_not_refused() -> None:
    facts = with_variable(link(), "b2", "slave_exec_mode", "IDEMPOTENT")
    found = [one for one in run_checks(context(facts), FAILOVER_CHECKS) if one.code == "errors_skipped"]
    assert [one.severity for one in found] == [Severity.WARNING]


@pytest.mark.parametrize(
    ("node", "variable", "value", "code"),
    [("a2", "binlog_ignore_db", "app2", "log_filter_set"), ("a2", "wsrep_osu_method", "RSU", "setting_not_allowed")],
)
def test_relocate__best_placed_node_unfit__next_one_taken(node: str, variable: str, value: str, code: str) -> None:
    world = FakeWorld.classic()
    world.node(node).variables[variable] = value
    world.kill("a1")
    plan = sound(plan_relocate(world))
    assert plan.target["source_name"] == "a3"
    assert [one.facts["codes"] for one in plan.findings if one.code == "candidate_left_out"] == [[code]]


def test_relocate__away_from_a_replica_that_skips__warned_with_both_values() -> None:
    facts = with_variable(link(), "b1", "slave_exec_mode", "IDEMPOTENT")
    findings = relocate_findings(context(facts))
    (found,) = [one for one in findings if one.code == "present_replica_setting"]
    assert not any(one.refuses for one in findings)
    assert "b1 has slave_exec_mode=IDEMPOTENT" in found.message
    assert "b2 has slave_exec_mode=STRICT" in found.message


@pytest.mark.parametrize(("variable", "value"), [("slave_exec_mode", "IDEMPOTENT"), ("binlog_ignore_db", "app2")])
def test_state__at_the_end_of_a_channel__degraded_and_not_in_sync(variable: str, value: str) -> None:
    for node in ("a1", "b1"):
        view = derive(with_variable(link(), node, variable, value), History(), 0.0)
        assert view.state is LinkState.DEGRADED
        assert view.sentence.startswith(f"{node} has {variable}={value}.")


@pytest.mark.parametrize("node", ["a3", "b3"])
@pytest.mark.parametrize(
    ("variable", "value", "state"),
    [
        ("slave_exec_mode", "IDEMPOTENT", LinkState.PROTECTED),
        ("binlog_ignore_db", "app2", LinkState.DEGRADED),
        ("wsrep_osu_method", "RSU", LinkState.DEGRADED),
    ],
)
def test_state__node_without_a_channel__degraded_if_its_own_clients_writes_stay_there(
    variable: str, value: str, state: LinkState, node: str
) -> None:
    view = derive(with_variable(link(), node, variable, value), History(), 0.0)
    assert view.state is state
    assert view.sentence.startswith(f"{node} has {variable}={value}.") is (state is LinkState.DEGRADED)


def test_state__end_of_a_channel_does_not_tell__degraded_and_not_in_sync() -> None:
    facts = with_variable(link(), "a1", "binlog_ignore_db", None)
    view = derive(facts, History(), 0.0)
    assert view.state is LinkState.DEGRADED
    assert view.sentence.startswith("a1 does not tell binlog_ignore_db.")
    known_too = derive(with_variable(facts, "b1", "slave_exec_mode", "IDEMPOTENT"), History(), 0.0)
    assert known_too.sentence.startswith("b1 has slave_exec_mode=IDEMPOTENT.")


MIB = 2**20
PACKETS: tuple[tuple[str, str, Severity | None], ...] = (
    ("16777216", "1073741824", None),
    ("16777216", str(32 * MIB), None),
    ("16777216", str(31 * MIB), Severity.WARNING),
    ("16777216", str(16 * MIB), Severity.WARNING),
    ("16777216", str(15 * MIB), Severity.BLOCKER),
    ("1073741824", "1073741824", None),
    ("1073741824", "1073740800", Severity.BLOCKER),
)


@pytest.mark.parametrize(("sent", "read", "severity"), PACKETS)
def test_packet__of_a_replica_against_what_any_node_of_the_other_side_may_write(
    sent: str, read: str, severity: Severity | None
) -> None:
    sending = with_variable(link(), "a3", "max_allowed_packet", sent)
    facts = with_variable(sending, "b2", "slave_max_allowed_packet", read)
    expected = [] if severity is None else [("replica_packet_smaller", severity, "b2")]
    assert on_page(facts) == expected
    assert all(
        "SET GLOBAL slave_max_allowed_packet = 1073741824 on b2" in one.remedy for one in settings_on_page(facts)
    )
    assert ("replica_packet_smaller" in refusing(context(facts))) is (severity is Severity.BLOCKER)


def test_packet__unknown_on_either_end__refused() -> None:
    for node, variable in (("b2", "slave_max_allowed_packet"), ("a1", "max_allowed_packet")):
        assert refusing(context(with_variable(link(), node, variable, None))) == {"setting_unknown"}


EQUAL: tuple[tuple[str, str, Callable[[LinkFacts], LinkFacts]], ...] = tuple(
    (variable, node, lambda f, v=variable, n=node, to=to: with_variable(f, n, v, to))
    for variable, to in (
        ("rpl_semi_sync_master_enabled", "ON"),
        ("replicate_do_db", "shop"),
        ("slave_ddl_exec_mode", "STRICT"),
        ("wsrep_ignore_apply_errors", "0"),
        ("default_storage_engine", "MyISAM"),
        ("lower_case_table_names", "1"),
        ("system_time_zone", "EST"),
        ("wsrep_gtid_mode", "ON"),
        ("gtid_ignore_duplicates", "ON"),
    )
    for node in ("a2", "b3")
)


@pytest.mark.parametrize(("variable", "node", "change"), EQUAL, ids=[f"{v}_{n}" for v, n, _ in EQUAL])
def test_equal__one_node_differs__one_warning_that_names_the_values(
    variable: str, node: str, change: Callable[[LinkFacts], LinkFacts]
) -> None:
    (found,) = settings_on_page(change(link()))
    assert (found.code, found.severity, found.facts["variable"]) == ("setting_differs", Severity.WARNING, variable)
    assert node in found.message
    assert refusing(context(change(link()))) <= {"filters_differ"}


def test_zone__started_in_summer_or_given_to_each_session__nothing() -> None:
    facts = link()
    for node in facts.nodes:
        zone = "CEST" if node.node.name == "b2" else "CET"
        facts = with_variable(facts, node.node.name, "system_time_zone", zone)
    assert list(settings_on_page(facts)) == []
    facts = with_variable(facts, "b2", "system_time_zone", "EST")
    (found,) = settings_on_page(facts)
    assert "time_zone to '+00:00' on every node" in found.remedy
    for node in facts.nodes:
        facts = with_variable(facts, node.node.name, "time_zone", "+00:00")
    assert list(settings_on_page(facts)) == []


def test_equal__names_of_tables__as_the_server_writes_them() -> None:
    facts = with_variable(link(), "b2", "replicate_wild_ignore_table", "app9.%")
    (found,) = settings_on_page(facts)
    assert "b2: app9.%" in found.message
    for node in ("b1", "b3"):
        facts = with_variable(facts, node, "replicate_wild_ignore_table", "App9.%")
    assert settings_on_page(facts), "a table of another case is another table"


def test_equal__domain_of_galera__said_where_galera_numbers_in_it() -> None:
    facts = with_variable(link(), "b2", "wsrep_gtid_domain_id", "7")
    assert settings_on_page(facts) == ()
    for node in ("b1", "b2", "b3"):
        facts = with_variable(facts, node, "wsrep_gtid_mode", "ON")
    assert [one.facts["variable"] for one in settings_on_page(facts)] == ["wsrep_gtid_domain_id"]


def test_equal__sides_differ_in_what_only_a_side_shares__nothing() -> None:
    facts = link()
    for node in ("b1", "b2", "b3"):
        facts = with_variable(facts, node, "rpl_semi_sync_slave_enabled", "ON")
    assert on_page(facts) == []


def test_page__node_that_is_down__says_nothing() -> None:
    assert on_page(down(with_variable(link(), "b3", "slave_exec_mode", "IDEMPOTENT"), "b3")) == []


def test_older_release__setting_that_it_does_not_have__not_missed() -> None:
    older = with_node(with_variable(link(), "b2", "replicate_rewrite_db", ""), "b2", version="10.5.23-MariaDB-log")
    assert refusing(context(with_variable(older, "b2", "wsrep_mode", None))) == set()
