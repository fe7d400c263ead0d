"""Which nodes could take a channel now, and the reason shown for the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from backend.core.checks.context import Pair
from backend.core.checks.nodes import check_primary, check_reachable
from backend.core.checks.settings import check_binlog, check_commit_order, check_settings
from backend.core.facts.server_identity import observed_server
from backend.core.link_facts import LinkFacts
from backend.core.plans.context import context_for
from backend.core.plans.node_eligibility import INELIGIBLE_CODES, Ineligibility, why_ineligible
from backend.core.plans.target import is_fit
from backend.core.topology import NodeFacts, Reach, RecordedServer
from tests.core.builders.link_facts import down, link, node_of, with_node, with_variable, with_wsrep

Change = Callable[[LinkFacts], LinkFacts]
CASES: dict[str, tuple[Change, str, str]] = {
    "down": (lambda f: down(f, "a2"), "node_unreachable", "unreachable"),
    "hung": (lambda f: down(f, "a2", Reach.HUNG), "node_unreachable", "not responding (hung)"),
    "refused": (lambda f: down(f, "a2", Reach.REFUSED), "node_unreachable", "login refused"),
    "unknown": (lambda f: down(f, "a2", Reach.UNKNOWN), "node_unreachable", "state unknown"),
    "wsrep_on unread": (lambda f: with_variable(f, "a2", "wsrep_on", None), "wsrep_on_unknown", "wsrep_on unknown"),
    "wsrep_on off": (
        lambda f: with_variable(f, "a2", "wsrep_on", "OFF"),
        "wsrep_off",
        "writes would stay on this node (wsrep_on=OFF)",
    ),
    "no galera status": (lambda f: with_node(f, "a2", wsrep=None), "wsrep_unknown", "Galera status unknown"),
    "non-Primary": (
        lambda f: with_wsrep(f, "a2", cluster_status="non-Primary"),
        "node_not_primary",
        "not in the Primary Component (non-Primary)",
    ),
    "status unread": (
        lambda f: with_wsrep(f, "a2", cluster_status=""),
        "node_not_primary",
        "not in the Primary Component (status unknown)",
    ),
    "donor": (
        lambda f: with_wsrep(f, "a2", local_state=2, state="Donor/Desynced"),
        "node_not_synced",
        "not Synced (Donor/Desynced)",
    ),
    "not ready": (lambda f: with_wsrep(f, "a2", ready=False), "node_not_synced", "not ready (wsrep_ready=OFF)"),
    "not connected": (
        lambda f: with_wsrep(f, "a2", connected=False),
        "node_not_synced",
        "not connected to its cluster (wsrep_connected=OFF)",
    ),
    "desynced": (
        lambda f: with_wsrep(f, "a2", desync_count=1),
        "node_not_synced",
        "desynced (wsrep_desync_count=1)",
    ),
    "no version": (
        lambda f: with_node(f, "a2", version=None),
        "version_unknown",
        "server version unknown or not supported",
    ),
    "log_bin unread": (lambda f: with_variable(f, "a2", "log_bin", None), "log_bin_unknown", "log_bin unknown"),
    "log_bin off": (
        lambda f: with_variable(f, "a2", "log_bin", "OFF"),
        "log_bin_wrong",
        "binary log disabled (log_bin=OFF)",
    ),
    "log_slave_updates unread": (
        lambda f: with_variable(f, "a2", "log_slave_updates", None),
        "log_slave_updates_unknown",
        "log_slave_updates unknown",
    ),
    "log_slave_updates off": (
        lambda f: with_variable(f, "a2", "log_slave_updates", "OFF"),
        "log_slave_updates_wrong",
        "replicated transactions are not logged (log_slave_updates=OFF)",
    ),
    "binlog_format unread": (
        lambda f: with_variable(f, "a2", "binlog_format", None),
        "binlog_format_unknown",
        "binlog_format unknown",
    ),
    "binlog_format mixed": (
        lambda f: with_variable(f, "a2", "binlog_format", "MIXED"),
        "binlog_format_wrong",
        "binary log is not row-based (binlog_format=MIXED)",
    ),
    "log filtered": (
        lambda f: with_variable(f, "a2", "binlog_ignore_db", "app2"),
        "log_filter_set",
        "its binary log leaves schemas out (binlog_ignore_db=app2)",
    ),
    "log filters unread": (
        lambda f: with_variable(f, "a2", "binlog_do_db", None),
        "log_filter_unknown",
        "binlog_do_db unknown",
    ),
    "skips errors": (
        lambda f: with_variable(f, "a2", "slave_exec_mode", "IDEMPOTENT"),
        "errors_skipped",
        "slave_exec_mode=IDEMPOTENT",
    ),
    "exec mode unread": (
        lambda f: with_variable(f, "a2", "slave_exec_mode", None),
        "setting_unknown",
        "slave_exec_mode unknown",
    ),
    "schema changes local": (
        lambda f: with_variable(f, "a2", "wsrep_osu_method", "RSU"),
        "setting_not_allowed",
        "wsrep_osu_method=RSU",
    ),
    "commit order": (
        lambda f: with_variable(f, "a2", "repl.commit_order", "0"),
        "commit_order_not_guaranteed",
        "repl.commit_order=0",
    ),
    "commit order unread": (
        lambda f: with_variable(f, "a2", "repl.commit_order", None),
        "commit_order_unknown",
        "repl.commit_order unknown",
    ),
    "no position": (lambda f: with_node(f, "a2", binlog=None), "binlog_unknown", "binary log position unknown"),
}
CHECKS = (check_reachable, check_primary, check_binlog, check_settings, check_commit_order)


def _why(node: NodeFacts, age_s: float | None = 1.0, recorded: RecordedServer | None = None) -> Ineligibility | None:
    return why_ineligible(node, recorded, age_s=age_s, stale_after_s=15.0)


def test_eligibility__a_synced_node_with_a_row_based_log__eligible() -> None:
    assert _why(node_of(link(), "a2")) is None


def test_eligibility__another_server_than_recorded__until_it_is_confirmed() -> None:
    node = node_of(link(), "a2")
    same = observed_server(node)
    assert same is not None
    assert _why(node, recorded=same) is None
    for other in (replace(same, server="h:3306 other /data/"), replace(same, server_id=same.server_id + 1)):
        assert _why(node, recorded=other) == Ineligibility("server_replaced", "another server, not confirmed yet")


@pytest.mark.parametrize(("change", "code", "message"), CASES.values(), ids=CASES.keys())
def test_eligibility__one_fact_wrong_or_unknown__its_reason(change: Change, code: str, message: str) -> None:
    assert _why(node_of(change(link()), "a2")) == Ineligibility(code, message)


@pytest.mark.parametrize(
    ("age_s", "code", "message"),
    [(None, "not_observed", "not observed yet"), (15.1, "facts_stale", "no data for 15 s")],
)
def test_eligibility__never_observed_or_old__says_nothing_of_the_node(
    age_s: float | None, code: str, message: str
) -> None:
    for facts in (link(), *(change(link()) for change, *_ in CASES.values())):
        assert _why(node_of(facts, "a2"), age_s) == Ineligibility(code, message)


def test_eligibility__every_code__has_a_case() -> None:
    assert {code for _, code, _ in CASES.values()} | {"not_observed", "facts_stale", "server_replaced"} == set(
        INELIGIBLE_CODES
    )


@pytest.mark.parametrize("change", [lambda f: f, *(change for change, *_ in CASES.values())])
def test_eligibility__eligible__is_what_the_checks_and_the_choice_of_a_pair_take(change: Change) -> None:
    facts = change(link())
    ctx = context_for(facts, Pair("n_a2", "n_b2"), now_s=facts.observed_at_s)
    node, why = node_of(facts, "a2"), _why(node_of(facts, "a2"))
    refusing = {f.code for check in CHECKS for f in check(ctx) if f.refuses}
    if why is None:
        assert is_fit(node)
        assert not refusing
    else:
        assert refusing >= {why.code} - {"version_unknown", "binlog_unknown"}
