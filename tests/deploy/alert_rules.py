"""For each alert rule: the series under which it fires, and nearby ones under which it must not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

EVERY = "1m"


@dataclass(frozen=True, slots=True)
class Case:
    """Series in promtool's notation; `at` is when the alert is looked for."""

    alert: str
    fires: dict[str, str]
    silent: dict[str, str]
    at: str = "10m"


def _steady(value: str) -> str:
    return f"{value}x100"


_LINK = 'hawser_link_state{link="payments",state="%s"}'
_FINDING = 'hawser_link_finding{link="payments",code="%s"}'
_LAG = 'hawser_link_lag_seconds{link="payments",direction="%s"}'
_REQUESTS = 'hawser_http_request_seconds_count{status="%s"}'
_BUCKET = 'hawser_http_request_seconds_bucket{method="%s",le="%s"}'
_REHEARSED = 'hawser_rehearsal_passed_age_seconds{link="payments",kind="%s"}'
_NODE_CERTIFICATE = 'hawser_node_certificate_expires_seconds{cluster="milan",node="db-a1"}'
_PROXY_CERTIFICATE = 'hawser_proxy_certificate_expires_seconds{origin="https://hawser.example.net"}'
_PROTECTED = _LINK % "protected"

CASES = (
    Case("HawserLinkNotProtected", {_PROTECTED: _steady("0")}, {_PROTECTED: _steady("1")}),
    Case("HawserLinkUnknown", {_LINK % "unknown": _steady("1")}, {_LINK % "unknown": _steady("0")}),
    Case("HawserSiteSplit", {_FINDING % "site_is_split": _steady("1")}, {_FINDING % "site_is_split": _steady("0")}),
    Case(
        "HawserStandbyAcceptsWrites",
        {_FINDING % "standby_accepts_writes": _steady("1")},
        {_FINDING % "standby_accepts_writes": _steady("0"), _FINDING % "site_is_split": _steady("1")},
    ),
    Case("HawserLag", {_LAG % "forward": _steady("31")}, {_LAG % "forward": _steady("30"), _LAG % "reverse": "99x100"}),
    Case("HawserLagUnknown", {_PROTECTED: _steady("1")}, {_PROTECTED: "1x100", _LAG % "forward": "0x100"}),
    Case("HawserNodeDown", {'hawser_node_up{node="db-a1"}': "0x100"}, {'hawser_node_up{node="db-a1"}': "1x100"}),
    Case(
        "HawserRehearsalOld",
        {_REHEARSED % "failover": _steady("2592001")},
        {_REHEARSED % "failover": _steady("2591999"), _REHEARSED % "relocate": _steady("9999999")},
    ),
    Case(
        "HawserAdviceOfHighRisk",
        {'hawser_advice_open{risk="high"}': "1x100"},
        {'hawser_advice_open{risk="high"}': "0x100", 'hawser_advice_open{risk="medium"}': "9x100"},
        at="40m",
    ),
    Case(
        "HawserRunNeedsOperator",
        {'hawser_runs{state="needs_operator"}': _steady("1")},
        {'hawser_runs{state="needs_operator"}': "0x100", 'hawser_runs{state="failed"}': "5x100"},
    ),
    Case(
        "HawserRunQueued",
        {"hawser_run_queued_oldest_seconds": _steady("61")},
        {"hawser_run_queued_oldest_seconds": _steady("59")},
    ),
    Case("HawserRunTakenOver", {"hawser_run_takeovers_total": "3x5 4x50"}, {"hawser_run_takeovers_total": "3x100"}),
    Case(
        "HawserApprovalWaits",
        {'hawser_waiting_oldest_seconds{kind="run"}': _steady("601")},
        {'hawser_waiting_oldest_seconds{kind="run"}': _steady("599")},
    ),
    Case(
        "HawserExceptionNotReviewed",
        {'hawser_waiting_oldest_seconds{kind="exception_review"}': _steady("86401")},
        {'hawser_waiting_oldest_seconds{kind="protected_change"}': _steady("86401")},
    ),
    Case(
        "HawserBreakGlass",
        {"hawser_break_glass_records_total": "7x5 8x50"},
        {"hawser_break_glass_records_total": "7x100"},
    ),
    Case(
        "HawserAuditNotForwarded",
        {'hawser_audit_waiting_records{receiver="syslog"}': "0 1x100"},
        {'hawser_audit_waiting_records{receiver="syslog"}': "0+1x8 0 0+1x90"},
        at="17m",
    ),
    Case(
        "HawserSignInFailures",
        {"hawser_sign_in_failures_total": "0+3x50", "hawser_sign_ins_throttled_total": "0x50"},
        {"hawser_sign_in_failures_total": "0+1x50", "hawser_sign_ins_throttled_total": "4x50"},
        at="20m",
    ),
    Case(
        "HawserAccessRefused",
        {"hawser_access_refused_records_total": "0+1x50", "hawser_access_throttled_records_total": "0x12 1x50"},
        {"hawser_access_refused_records_total": "0+1x50", "hawser_access_throttled_records_total": "4x50"},
        at="20m",
    ),
    Case("HawserDown", {'up{job="hawser"}': "0x100"}, {'up{job="hawser"}': "1x100", 'up{job="other"}': "0x100"}),
    Case(
        "HawserComponentDown",
        {'hawser_component_ok{component="redis"}': "0x100"},
        {'hawser_component_ok{component="redis"}': "1x100"},
    ),
    Case(
        "HawserMonitorSilent",
        {'hawser_process_silence_seconds{kind="monitor"}': "31x100"},
        {
            'hawser_process_silence_seconds{kind="monitor"}': "2x100",
            'hawser_process_silence_seconds{kind="worker"}': "40x100",
        },
    ),
    Case(
        "HawserLinkWithoutOwner",
        {"hawser_links_without_owner": "0x3 2x100"},
        {"hawser_links_without_owner": "0x100", "hawser_monitor_takeovers_total": "1x3 9x100"},
    ),
    Case("HawserQueueLong", {"hawser_queue_messages": "51x100"}, {"hawser_queue_messages": "50x100"}),
    Case(
        "HawserWebhooksLate",
        {"hawser_webhook_pending_oldest_seconds": "301x100"},
        {"hawser_webhook_pending_oldest_seconds": "299x100"},
    ),
    Case(
        "HawserErrors",
        {_REQUESTS % "5xx": "0+2x100", _REQUESTS % "2xx": "0+98x100"},
        {_REQUESTS % "5xx": "0+1x100", _REQUESTS % "2xx": "0+199x100"},
        at="20m",
    ),
    Case(
        "HawserSlow",
        {
            _BUCKET % ("GET", "2.5"): "0+97x100",
            _BUCKET % ("GET", "10.0"): "0+100x100",
            _BUCKET % ("GET", "+Inf"): "0+100x100",
        },
        {
            _BUCKET % ("GET", "2.5"): "0+100x100",
            _BUCKET % ("GET", "10.0"): "0+100x100",
            _BUCKET % ("GET", "+Inf"): "0+100x100",
        },
        at="30m",
    ),
    Case(
        "HawserCertificateExpires",
        {_NODE_CERTIFICATE: _steady("-5"), _PROXY_CERTIFICATE: _steady("9999999")},
        {_NODE_CERTIFICATE: _steady("1209601"), _PROXY_CERTIFICATE: _steady("1209601")},
    ),
)


def promtool_tests(rules: str) -> dict[str, Any]:
    """The file that `promtool test rules` reads; `rules` is the path of the rules."""
    return {"rule_files": [rules], "evaluation_interval": EVERY, "tests": list(_tests())}


def _tests() -> Iterator[dict[str, Any]]:
    for case in CASES:
        yield _test(case, case.silent, fires=0)
        yield _test(case, case.fires, fires=1)


def _test(case: Case, series: dict[str, str], *, fires: int) -> dict[str, Any]:
    counted = f'count(ALERTS{{alertname="{case.alert}",alertstate="firing"}}) or vector(0)'
    return {
        "interval": EVERY,
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": [
            {"expr": counted, "eval_time": case.at, "exp_samples": [{"labels": "{}", "value": fires}]},
        ],
    }
