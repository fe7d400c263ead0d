"""The reference of events against the source: no event without an entry, no entry without an event."""

from __future__ import annotations

import ast
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import pytest

from backend.api.sse import BEAT
from backend.common.events import services
from backend.common.events.models import Event, EventType
from backend.common.events.selectors import wire
from backend.core.findings import Severity
from backend.core.link_state.derive import LinkState
from backend.core.topology import Reach
from backend.monitoring.recording import links, nodes, sites
from backend.operations.runs.models import RunState
from tests.support.codes_in_source import CodeCall, code_calls, keyword
from tests.support.event_reference import KINDS, NAMES, STREAM, severities_of
from tests.support.reference_page import Entry, broken_layout

Severities = Mapping[str, set[str]]
ANY = {severity.value for severity in Severity}
DECISIONS = "backend/operations/runs/services/decisions.py"
RETURNED = "backend/operations/automation/returned_sides.py"


def _calls(file: str, function: str, position: int) -> list[CodeCall]:
    """The calls of a helper in one file (or folder) that passes a part of the kind on."""
    return [call for call in code_calls({function: position}) if call.file.startswith(file)]


def _passed(pattern: str, calls: Iterable[CodeCall], severity: str) -> Severities:
    return {pattern.format(value): {_stated(call, severity)} for call in calls for value in _values(call.code)}


def _stated(call: CodeCall, default: str) -> str:
    given = keyword(call.call, "severity")
    return str(given.value) if isinstance(given, ast.Constant) else default


def _values(expression: ast.expr) -> Iterator[str]:
    """The texts that an expression can be: a literal, or either branch of a condition."""
    if isinstance(expression, ast.IfExp):
        yield from (*_values(expression.body), *_values(expression.orelse))
    elif isinstance(expression, ast.Constant):
        yield str(expression.value)
    else:
        raise TypeError(f"neither a literal nor a condition: {ast.unparse(expression)}")


def _of_returned_sides() -> Severities:
    return {str(call.literal): set(_values(call.call.args[2])) for call in _calls(RETURNED, "_notify", 1)}


COMPUTED: Mapping[tuple[str, str], Severities] = {
    ("backend/adviser/advice/notifications.py", "f'advice.{notice.value}'"): {
        "advice.appeared": {"warning"},
        "advice.resolved": {"ok"},
    },
    ("backend/identity/accounts/protected_changes.py", "f'protected_change.{what}'"): _passed(
        "protected_change.{}", _calls("backend/identity/accounts/protected_changes.py", "_notify", 2), "warning"
    ),
    (RETURNED, "kind"): _of_returned_sides(),
    ("backend/monitoring/recording/sites.py", "kind"): {
        kind: {severity}
        for came, severity, went, _ in sites.EVENTS.values()
        for kind, severity in ((came, severity), (went, "ok"))
    },
    ("backend/operations/automation/services.py", "f'automation.{what}'"): _passed(
        "automation.{}", _calls("backend/operations/automation/services.py", "_raise_event", 1), "warning"
    ),
    ("backend/operations/automation/starts.py", "f'automatic_start.{outcome}'"): _passed(
        "automatic_start.{}", _calls("backend/operations/automation/starts.py", "_report", 2), "warning"
    ),
    ("backend/monitoring/recording/links.py", "f'link.{view.state.value}'"): {
        f"link.{state.value}": {links._SEVERITY.get(state.value, "blocker")} for state in LinkState
    },
    ("backend/monitoring/recording/links.py", "kind"): {kind: {"warning"} for kind in links._RETURNED.values()},
    ("backend/monitoring/recording/nodes.py", "f'node.{seen.reach.value}'"): {
        f"node.{reach.value}": {nodes._SEVERITY.get(reach, "unknown")} for reach in Reach
    },
    ("backend/monitoring/write_sets/alarm.py", "f'node.absence_{kind}'"): {
        "node.absence_short": {"warning"},
        "node.absence_ample": {"ok"},
    },
    ("backend/operations/runs/execution/console.py", "kind"): _passed(
        "{}", _calls("backend/operations/runs/execution/console.py", "_record_event", 2), "info"
    ),
    ("backend/operations/runs/execution/store.py", "f'run.{state.value}'"): {
        "run.succeeded": {"ok"},
        "run.aborted": {"info"},
        "run.failed": {"blocker"},
        "run.needs_operator": {"blocker"},
    },
    (DECISIONS, "f'run.{what}'"): _passed("run.{}", _calls("backend/operations/runs/services/", "publish", 2), "info"),
}


def _raised() -> list[CodeCall]:
    calls = code_calls({"raised": -1, "to_raise": -1}, name_of_code="kind")
    return [call for call in calls if call.file != "backend/common/events/services.py"]  # `raised` passes it on


def _severities(call: CodeCall) -> set[str]:
    """Those stated in the call; any where it passes a variable on."""
    given = keyword(call.call, "severity")
    return {str(given.value)} if isinstance(given, ast.Constant) else ANY


def test_kinds__of_the_source__are_those_of_the_catalogue() -> None:
    raised = {call.literal for call in _raised() if call.literal is not None}
    raised |= {kind for kinds in COMPUTED.values() for kind in kinds}
    assert raised == {kind for entry in KINDS for kind in entry.codes}


def test_kinds__computed__stand_in_the_table_and_nowhere_else() -> None:
    assert {call.computed for call in _raised() if call.literal is None} == set(COMPUTED)


def test_severities__of_the_source__are_those_of_the_catalogue() -> None:
    exact: dict[str, set[str]] = defaultdict(set)
    for call in _raised():
        if call.literal is not None:
            exact[call.literal] |= _severities(call)
    for kinds in COMPUTED.values():
        for kind, severities in kinds.items():
            exact[kind] |= severities
    for entry in KINDS:
        stated, (kind,) = severities_of(entry), entry.codes
        assert stated == exact[kind] or stated < exact[kind] == ANY, kind


def test_run_states__in_the_table_of_kinds__are_those_in_which_a_worker_leaves_a_run() -> None:
    left = {state for state in RunState if state.is_final} | {RunState.NEEDS_OPERATOR}
    assert {f"run.{state.value}" for state in left} == set(
        COMPUTED[("backend/operations/runs/execution/store.py", "f'run.{state.value}'")]
    )


def test_names__of_the_stream__are_those_of_the_catalogue() -> None:
    heartbeat = BEAT.decode().partition("event: ")[2].partition("\n")[0]
    assert [name for entry in STREAM for name in entry.codes] == [*EventType.values, heartbeat]


@pytest.mark.django_db
@pytest.mark.parametrize("entry", STREAM, ids=[entry.codes[0] for entry in STREAM])
def test_fields__of_an_event_as_it_is_sent__are_those_of_the_entry(entry: Entry) -> None:
    (name,) = entry.codes
    example = json.loads(entry.text.partition(f"event: {name}\ndata: ")[2].partition("\n")[0])
    assert entry.fields == list(example)
    if (event := _event(name)) is not None:
        event.refresh_from_db()
        assert set(entry.fields) == set(wire(event))


def _event(name: str) -> Event | None:
    """An event of this name, as the services write it; None for the heartbeat, which is none."""
    run = {"run_id": "r_1", "link_id": "l_1"}
    match name:
        case "link.updated":
            return services.link_updated(link_id="l_1")
        case "run.updated":
            return services.run_updated(**run, state="running", version=1)
        case "step.updated":
            changed = services.step_change(**run, index=0, state="running")
            services.append_all([changed])
            return changed
        case "event.raised":
            return services.raised(link_id="l_1", kind="node.down", severity="blocker", message="db-a1 is down.")
    return None


def test_page__each_event__has_its_anchor_severity_and_example() -> None:
    assert broken_layout("events.md", unanchored=NAMES) == []
    for entry in KINDS:
        assert entry.text.partition("\n\n")[0].endswith("."), entry.codes
        assert severities_of(entry) <= ANY, entry.codes
        assert entry.line("Example of `message`"), entry.codes
