"""The page of finding codes against the source: no code without an entry, no entry without a code."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping

from backend.common.code_pages import FINDINGS
from backend.core.dialects import MARIADB_NEEDS as NEEDS
from backend.core.findings import Severity
from backend.core.link_state.channels import ChannelState
from backend.core.locate.executed_sets import SetCode
from backend.core.server_settings.judgements import EqualWithin, NotBelow
from backend.core.server_settings.table import JUDGED, NEEDED
from backend.core.topology import Reach
from backend.gateway import inspection
from tests.support.codes_in_source import CodeCall, code_calls, codes_of_source, computed_codes
from tests.support.reference_page import broken_layout, entries, unanswered

CALLS = {"Finding": 0}
SETTINGS = "backend/core/facts/judged_settings.py"


def _codes(pattern: str, values: Iterable[str]) -> frozenset[str]:
    return frozenset(pattern.format(value) for value in values)


COMPUTED: Mapping[tuple[str, str], frozenset[str]] = {
    ("backend/operations/change_calendar/selectors.py", "one.code"): frozenset(
        {"change_freeze", "outside_change_window", "change_calendar_unknown"}
    ),
    (SETTINGS, "needed.code"): frozenset(
        {one.needed.code for one in NEEDED if not one.needed.told_by}
        | {one.code for row in JUDGED for one in row.judgements if isinstance(one, NotBelow)}
    ),
    (SETTINGS, "needed.unknown"): frozenset(one.needed.unknown for one in NEEDED if not one.needed.told_by),
    # Of what a node does not tell, on the page of a link.
    (SETTINGS, "code"): frozenset({one.needed.unknown for one in NEEDED if one.is_required and not one.needed.told_by})
    | {"filters_unknown", "row_image_unknown", "setting_unknown"},
    (SETTINGS, "equal.code"): frozenset(
        one.code for row in JUDGED for one in row.judgements if isinstance(one, EqualWithin)
    ),
    ("backend/core/checks/channels.py", "CHANNEL_SQL_ERROR"): frozenset({"channel_sql_error"}),
    ("backend/core/checks/failover.py", "code"): frozenset(
        {"sites_are_parted", "active_site_lives", "active_site_seen_by_standby"}
    ),
    ("backend/core/facts/log_continuity.py", "NOT_COMPARED"): frozenset({"source_log_unread"}),
    ("backend/core/facts/log_continuity.py", "cause.code"): frozenset(
        {
            "source_log_replaced",
            "source_group_differs",
            "source_counter_fell",
            "source_server_changed",
            "source_log_unread",
        }
    ),
    ("backend/core/facts/channel_delay.py", "DELAYED"): frozenset({"channel_delayed"}),
    ("backend/core/facts/unsafe_periods.py", "ROWS_MAY_DIFFER"): frozenset({"rows_may_differ"}),
    ("backend/core/facts/stream_accounts.py", "GOING_ROUND"): frozenset({"transactions_going_round"}),
    ("backend/core/facts/stream_accounts.py", "LEFT_OUT"): frozenset({"transactions_left_out"}),
    ("backend/core/facts/stream_accounts.py", "NOT_FROM_SOURCE"): frozenset({"transactions_not_from_source"}),
    ("backend/core/checks/servers.py", "ACCEPTED"): frozenset({"server_not_tried_accepted"}),
    # A running channel has no finding; a stray one has its own.
    ("backend/core/link_state/findings.py", "f'channel_{view.channel.state.value}'"): _codes(
        "channel_{}", set(ChannelState) - {ChannelState.RUNNING, ChannelState.STRAY}
    ),
    ("backend/core/link_state/findings.py", "f'node_{node.reach.value}'"): _codes("node_{}", set(Reach) - {Reach.UP}),
    ("backend/core/plans/position_findings.py", "'binlog_purged' if code == 'purged' else str(code)"): frozenset(
        {
            "binlog_purged",
            "position_not_proven",
            "gtid_slave_pos_differs",
            "log_event_unknown",
            "position_beyond_4_gib",
            "seam_not_proven",
            *(code.value for code in SetCode if code is not SetCode.SERVED),
        }
    ),
    ("backend/gateway/grants.py", "code"): frozenset(need.code for need in NEEDS),
    ("backend/gateway/inspection.py", "f'setting_{variable}'"): _codes(
        "setting_{}", (one.variable for one in inspection._TOLD_HERE)
    ),
}


def test_codes__of_the_source__are_those_of_the_catalogue() -> None:
    assert codes_of_source(CALLS, COMPUTED) == set(FINDINGS)


def test_codes__computed__stand_in_the_table_and_nowhere_else() -> None:
    assert computed_codes(CALLS) == set(COMPUTED)


def test_severities__of_the_source__are_those_of_the_catalogue() -> None:
    """A call that makes several codes may give each another of its severities; a literal code has all of its calls'."""
    stated: dict[str, set[Severity]] = defaultdict(set)
    possible: dict[str, set[Severity]] = defaultdict(set)
    for call in code_calls(CALLS):
        if call.literal is not None:
            stated[call.literal] |= _severities(call)
        for code in COMPUTED.get(call.computed, ()):
            possible[code] |= _severities(call) or set(Severity)  # a parameter: any
    for entry in entries("findings.md"):
        (code,) = entry.codes
        severities = {Severity(name) for name in entry.one_of("Severity: ")}
        assert stated[code] <= severities <= stated[code] | possible[code], code


def _severities(call: CodeCall) -> set[Severity]:
    """Those named in the call, or in the last assignment before it of the name that it passes."""
    given = call.call.args[1]
    if not isinstance(given, ast.Name):
        return _named(given)
    assigned = [s for s in ast.walk(call.scope) if isinstance(s, ast.Assign) and _assigns(s, given.id)]
    before = [s for s in assigned if s.lineno < call.call.lineno]
    return _named(max(before, key=lambda s: s.lineno).value) if before else set()


def _assigns(statement: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in statement.targets)


def _named(expression: ast.expr) -> set[Severity]:
    return {
        Severity[node.attr]
        for node in ast.walk(expression)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Severity"
    }


def test_entries__every_heading__is_read_with_every_text() -> None:
    assert list(FINDINGS) == [code for entry in entries("findings.md") for code in entry.codes]
    assert broken_layout("findings.md") == unanswered("findings.md") == []
