"""Settings with which rows come to differ unseen: followed while they are there, told until they are settled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from backend.core.checks.run import run_checks
from backend.core.facts.unsafe_periods import COMPARED, ROWS_MAY_DIFFER, followed
from backend.core.findings import Severity
from backend.core.link_facts import LinkFacts, UnsafePeriod
from backend.core.link_state import History, LinkState, derive
from backend.core.plans.failover import FAILOVER_CHECKS
from backend.core.plans.switchover import SWITCHOVER_CHECKS
from backend.core.stream_account import StreamAccount
from tests.core.builders.link_facts import context, down, link, relocate_findings, with_node, with_variable

BY_CLIENTS = (
    ("wsrep_on", "OFF"),
    ("wsrep_osu_method", "RSU"),
    ("wsrep_forced_binlog_format", "STATEMENT"),
    ("binlog_do_db", "app1"),
    ("binlog_ignore_db", "app2"),
    ("binlog_format", "MIXED"),
    ("init_connect", "SET sql_log_bin=0"),
)
BY_CHANNELS = (
    ("slave_exec_mode", "IDEMPOTENT"),
    ("slave_skip_errors", "1062"),
    ("log_slave_updates", "OFF"),
    ("slave_run_triggers_for_rbr", "YES"),
    ("slave_type_conversions", "ALL_LOSSY"),
    ("init_slave", "SET SESSION sql_log_bin=0"),
)


def seen(facts: LinkFacts, known: tuple[UnsafePeriod, ...] = (), after_s: float = 0.0) -> LinkFacts:
    """The link after a poll."""
    now = replace(facts, observed_at_s=facts.observed_at_s + after_s, unsafe_periods=known)
    return replace(now, unsafe_periods=followed(now))


def set_and_taken_back(node: str, variable: str, value: str) -> LinkFacts:
    """The link of which that node had the setting for two seconds."""
    during = seen(with_variable(link(), node, variable, value))
    return seen(link(), during.unsafe_periods, after_s=2.0)


@pytest.mark.parametrize(("variable", "value"), [*BY_CLIENTS, *BY_CHANNELS])
def test_setting__of_a_node_with_a_channel_taken_back__degraded_told_and_no_switchover(
    variable: str, value: str
) -> None:
    facts = set_and_taken_back("b1", variable, value)
    view = derive(facts, History(), 0.0)
    assert view.state is LinkState.DEGRADED
    assert f"b1 had {variable}={value}: rows may differ since." in view.sentence
    assert "in sync" not in view.sentence
    (found,) = [one for one in view.findings if one.code == ROWS_MAY_DIFFER]
    assert (found.severity, found.facts["node"], found.facts["variable"]) == (Severity.BLOCKER, "b1", variable)
    assert view.readiness["switchover"].state == "blocked"
    refusing = {one.code for one in run_checks(context(facts), SWITCHOVER_CHECKS) if one.refuses}
    assert ROWS_MAY_DIFFER in refusing


@pytest.mark.parametrize(("variable", "value"), BY_CLIENTS)
def test_setting__of_a_neighbour_without_a_channel__what_its_clients_wrote_counts(variable: str, value: str) -> None:
    facts = set_and_taken_back("a3", variable, value)
    remedies = [one.remedy for one in derive(facts, History(), 0.0).findings if one.code == ROWS_MAY_DIFFER]
    assert len(remedies) == 1
    assert "the nodes of cluster-a with each other" in remedies[0]


@pytest.mark.parametrize(("variable", "value"), BY_CHANNELS)
def test_setting_of_channels__no_channel_at_the_node__nothing(variable: str, value: str) -> None:
    assert set_and_taken_back("a3", variable, value).unsafe_periods == ()


@pytest.mark.parametrize(("variable", "value"), BY_CHANNELS)
def test_setting_of_channels__channels_of_the_node_unknown__counts(variable: str, value: str) -> None:
    during = seen(with_node(with_variable(link(), "a3", variable, value), "a3", channels=None))
    assert [one.variable for one in during.unsafe_periods] == [variable]


def test_log_slave_updates__off_at_a_source__counts() -> None:
    source = with_node(link(), "a1", channels=())
    assert seen(with_variable(source, "a1", "log_slave_updates", "OFF")).unsafe_periods


def test_setting__before_there_is_a_channel__nothing() -> None:
    facts = replace(link(), recorded=())
    for node in ("a1", "b1"):
        facts = with_node(facts, node, channels=())
    assert seen(with_variable(facts, "a3", "binlog_format", "MIXED")).unsafe_periods == ()


def test_setting__still_there__told_by_its_own_finding_alone() -> None:
    facts = seen(with_variable(link(), "a3", "binlog_ignore_db", "app"))
    codes = [one.code for one in derive(facts, History(), 0.0).findings]
    assert "log_filter_set" in codes
    assert ROWS_MAY_DIFFER not in codes
    assert facts.unsafe_periods[0].until_s is None


def test_round__ended__copies_may_be_there_until_it_is_settled() -> None:
    facts = link()
    carried = {"78": facts.observed_at_s}
    going = [replace(one, account=StreamAccount(carried=carried)) for one in facts.recorded]
    during = seen(replace(facts, recorded=tuple(going)))
    codes = [one.code for one in derive(during, History(), 0.0).findings]
    assert "transactions_going_round" in codes
    assert ROWS_MAY_DIFFER not in codes
    assert [(one.node, one.variable, one.value) for one in during.unsafe_periods] == [("both sides", "server_id", "78")]
    view = derive(seen(facts, during.unsafe_periods, after_s=90.0), History(), 0.0)
    assert view.state is LinkState.DEGRADED
    assert "server_id 78 went round between the sides: rows may be there more than once." in view.sentence


def unread(facts: LinkFacts) -> LinkFacts:
    """The account could not read on in the log of a1."""
    account = StreamAccount(unread={"n_a1": ("binlog.000002:500", facts.observed_at_s)})
    return replace(facts, recorded=tuple(replace(one, account=account) for one in facts.recorded))


def fewer_columns(facts: LinkFacts) -> LinkFacts:
    """The account found tables that are not the same on both sides."""
    account = StreamAccount(other_columns={"bank.u": facts.observed_at_s, "bank.t": facts.observed_at_s})
    return replace(facts, recorded=tuple(replace(one, account=account) for one in facts.recorded[:1]))


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (unread, "The log of a1 was not read from binlog.000002:500 on"),
        (
            lambda facts: replace(facts, unsafe_in_logs={("n_a1", "binlog_format"): "STATEMENT in a session"}),
            "a1 had binlog_format=STATEMENT in a session: rows may differ since.",
        ),
        (
            lambda facts: replace(facts, unsafe_in_logs={("n_a2", "DEFAULT"): "UUID()"}),
            "A column was added on a2 with DEFAULT (UUID()), which each node computes for itself.",
        ),
        (
            lambda facts: replace(facts, unsafe_in_logs={("n_a3", "columns"): "bank.t"}),
            "Tables have other columns on a3 than elsewhere: bank.t.",
        ),
        (fewer_columns, "Tables have other columns on b1 than elsewhere: bank.t, bank.u."),
    ],
)
def test_found_in_a_log__told_at_once_and_until_it_is_settled(
    found: Callable[[LinkFacts], LinkFacts], text: str
) -> None:
    facts = link()
    during = seen(found(facts))
    assert text in derive(during, History(), 0.0).sentence
    after = seen(facts, during.unsafe_periods, after_s=90.0)
    (period,) = after.unsafe_periods
    assert period.until_s is not None
    view = derive(after, History(), 0.0)
    assert (view.state, text in view.sentence) == (LinkState.DEGRADED, True)


def test_found_in_a_log__of_a_node_of_another_link__nothing() -> None:
    other = replace(link(), unsafe_in_logs={("n_z9", "binlog_format"): "STATEMENT"})
    assert seen(other).unsafe_periods == ()


def test_node__died_with_the_setting__told_and_not_over() -> None:
    during = seen(with_variable(link(), "a3", "wsrep_on", "OFF"))
    facts = seen(down(link(), "a3"), during.unsafe_periods, after_s=2.0)
    assert facts.unsafe_periods[0].until_s is None
    assert ROWS_MAY_DIFFER in {one.code for one in derive(facts, History(), 0.0).findings}


def test_value__unknown_again__not_over() -> None:
    during = seen(with_variable(link(), "a3", "wsrep_on", "OFF"))
    facts = seen(with_variable(link(), "a3", "wsrep_on", None), during.unsafe_periods, after_s=2.0)
    assert facts.unsafe_periods[0].until_s is None


def test_setting__back_before_it_is_settled__the_same_period_goes_on() -> None:
    over = set_and_taken_back("a3", "binlog_ignore_db", "app").unsafe_periods
    again = seen(with_variable(link(), "a3", "binlog_ignore_db", "other"), over, after_s=5.0).unsafe_periods
    assert again == (replace(over[0], value="other", until_s=None),)


def test_node__not_registered_any_more__its_period_is_over_and_stays() -> None:
    during = seen(with_variable(link(), "a3", "wsrep_on", "OFF"))
    gone = replace(link(), active=replace(link().active, nodes=link().active.nodes[:2]))
    facts = seen(gone, during.unsafe_periods, after_s=2.0)
    assert facts.unsafe_periods[0].until_s == facts.observed_at_s
    assert ROWS_MAY_DIFFER in {one.code for one in derive(facts, History(), 0.0).findings}


def test_move_and_failover__warned_alone() -> None:
    facts = set_and_taken_back("a3", "binlog_ignore_db", "app")
    lost = down(down(down(facts, "a1"), "a2"), "a3")
    for findings in (relocate_findings(context(facts)), run_checks(context(lost), FAILOVER_CHECKS)):
        assert [one.severity for one in findings if one.code == ROWS_MAY_DIFFER] == [Severity.WARNING]


@pytest.mark.parametrize("variable", ["replicate_ignore_db", "sql_slave_skip_counter", "tx_read_only", "sync_binlog"])
def test_setting__that_the_account_or_an_error_shows__no_period(variable: str) -> None:
    assert set_and_taken_back("b1", variable, "1").unsafe_periods == ()


def test_comparison__rows_of_a_node_differ__degraded_until_it_is_settled() -> None:
    found = UnsafePeriod("n_b1", "b1", COMPARED, "a1: shop.orders", 1.0)
    facts = seen(seen(link(), (found,)), (found,), after_s=2.0)
    assert [one.until_s for one in facts.unsafe_periods] == [facts.observed_at_s]
    view = derive(facts, History(), 0.0)
    assert view.state is LinkState.DEGRADED
    (told,) = [one for one in view.findings if one.code == ROWS_MAY_DIFFER]
    assert told.message.startswith("A comparison of tables found other rows on b1 than on a1: shop.orders.")
    refusing = {one.code for one in run_checks(context(facts), SWITCHOVER_CHECKS) if one.refuses}
    assert ROWS_MAY_DIFFER in refusing
