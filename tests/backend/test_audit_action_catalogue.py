"""The reference of audit actions against the source: no action without an entry, no entry without an action."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from backend.api.serializers import LabLoadActionSerializer, LabNodeActionSerializer
from backend.audit.services import OPENING
from backend.clusters.password_comparisons import COMPARED
from backend.operations.runs.models import RunState, StepState
from tests.support.codes_in_source import ROOT, CodeCall, code_calls, keyword
from tests.support.reference_page import broken_layout, entries

ENTRIES = entries("audit-actions.md")
VALUES = {
    "`facts` tells of the action itself, not of values before or after it.",
    "`facts` holds the values that were stored; there was nothing before.",
    "`facts` holds the values after the change. Those before it are in the earlier records with this `target`.",
    "`facts.before` and `facts.after` hold the changed values; what did not change is in neither.",
    "`facts` names what ended or was removed. Its values are in the earlier records with this `target`.",
    "`facts.state` is the state of the run after the action; the earlier records of its `run_id` tell it before.",
}
"""What a record tells of the values before and after its action."""
CALLS = {"record": -1, "record_reading": -1, "add": -1, "Entry": -1}
"""Functions that write a record, or count a refusal for one; each is given its action by keyword."""
RUNS = "backend/operations/runs/services/"
CLAIM, STORE = "backend/operations/runs/execution/claim.py", "backend/operations/runs/execution/store.py"
SOURCES = ("api", "cli")


def _passed(file: str, function: str, position: int) -> Iterator[CodeCall]:
    """The calls of a helper in one file (or folder) that passes a part of the action on."""
    return (call for call in code_calls({function: position}) if call.file.startswith(file))


def _changes() -> Iterator[CodeCall]:
    """The changes of a registration, each with what follows its source."""
    return code_calls({"record_change": -1}, name_of_code="action")


def _values(expression: ast.expr) -> Iterator[str]:
    """The texts that an expression can be: none of one that is computed further."""
    if isinstance(expression, ast.IfExp):
        yield from (*_values(expression.body), *_values(expression.orelse))
    elif isinstance(expression, ast.Constant):
        yield str(expression.value)


def _actions(pattern: str, calls: Iterable[CodeCall]) -> frozenset[str]:
    return frozenset(pattern.format(value) for call in calls for value in _values(call.code))


def _step_states() -> Iterator[str]:
    """The states that a worker gives a step."""
    files = ("store.py", "transition_recorder.py")
    source = "\n".join((ROOT / "backend/operations/runs/execution" / name).read_text() for name in files)
    return (StepState[name].value for name in re.findall(r"\bStepState\.([A-Z]+)", source))


def _end_states() -> Iterator[str]:
    return (state.value for state in RunState if state.is_final or state is RunState.NEEDS_OPERATOR)


def _choices(field: str, serializer: type) -> list[str]:
    return list(serializer().fields[field].choices)


_RUN_HELPERS: tuple[CodeCall, ...] = (*_passed(CLAIM, "_record", 0), *_passed(STORE, "_record", 0))
_DECISIONS: tuple[CodeCall, ...] = (*_passed(RUNS, "publish", 2), *_passed(RUNS, "record", 2))
COMPUTED: Mapping[tuple[str, str], frozenset[str]] = {
    ("backend/audit/services.py", "action"): frozenset(),  # record_reading, whose calls are read themselves
    ("backend/audit/aggregation.py", "kind.action"): frozenset(),  # `add`, likewise
    ("backend/registration/changes.py", "f'{change.source}:{action}'"): frozenset(
        f"{source}:{what}" for source in SOURCES for what in _actions("{}", _changes())
    ),
    ("backend/identity/accounts/protected_changes.py", "f'console:protected_change:{what}'"): _actions(
        "console:protected_change:{}", _passed("backend/identity/accounts/protected_changes.py", "_notify", 2)
    ),
    **{
        (f"backend/identity/accounts/{file}.py", f"f'{{source}}:{what}'"): frozenset(
            f"{source}:{what}" for source in SOURCES
        )
        for file, what in (
            ("services", "user:create"),
            ("services", "user:update"),
            ("services", "user:unlock"),
            ("services", "user:remove_factors"),
            ("token_services", "token:create"),
            ("token_services", "token:revoke"),
        )
    },
    ("backend/identity/access/assignments.py", "f'api:role_assignment:{what}'"): _actions(
        "api:role_assignment:{}", _passed("backend/identity/access/assignments.py", "_record", 2)
    ),
    ("backend/identity/access/environments.py", "f'api:{kind}:environment'"): frozenset(
        {"api:link:environment", "api:cluster:environment"}
    ),
    ("backend/identity/access/teams.py", "f'api:team:{what}'"): _actions(
        "api:team:{}", _passed("backend/identity/access/teams.py", "_record", 2)
    ),
    **{
        ("backend/clusters/services.py", f"f'{{source}}:{what}'"): frozenset(f"{source}:{what}" for source in SOURCES)
        for what in ("cluster:register", "link:register")
    },
    **{
        ("backend/transactions/lookup/services.py", f"f'{{source}}:{what}'"): frozenset(
            f"{source}:{what}" for source in SOURCES
        )
        for what in ("lookup:search", "lookup:rows")
    },
    ("backend/clusters/password_comparisons.py", "action"): frozenset(COMPARED),
    ("backend/api/lab.py", "f'api:lab:{action}'"): frozenset(
        f"api:lab:{action}" for action in _choices("action", LabNodeActionSerializer)
    ),
    ("backend/api/lab.py", "f'api:lab:site_{action}'"): frozenset({"api:lab:site_lose", "api:lab:site_start"}),
    ("backend/api/lab.py", "f'api:lab:load_{action}'"): frozenset(
        f"api:lab:load_{action}" for action in _choices("action", LabLoadActionSerializer)
    ),
    ("backend/operations/automation/services.py", "f'monitor:automation:{what}'"): _actions(
        "monitor:automation:{}", _passed("backend/operations/automation/services.py", "_record", 1)
    ),
    ("backend/operations/automation/starts.py", "f'monitor:automatic_start:{outcome}'"): _actions(
        "monitor:automatic_start:{}", _passed("backend/operations/automation/starts.py", "_report", 2)
    ),
    ("backend/notifications/web_push/services.py", "f'api:push_subscription:{what}'"): _actions(
        "api:push_subscription:{}", _passed("backend/notifications/web_push/services.py", "_record", 2)
    ),
    ("backend/operations/change_calendar/services.py", "f'api:change_calendar:{what}'"): _actions(
        "api:change_calendar:{}", _passed("backend/operations/change_calendar/services.py", "_record", 1)
    ),
    ("backend/notifications/hooks/services.py", "f'api:hook:{what}'"): _actions(
        "api:hook:{}", _passed("backend/notifications/hooks/services.py", "_record", 2)
    ),
    ("backend/notifications/hooks/destinations/services.py", "f'api:destination:{what}'"): _actions(
        "api:destination:{}", _passed("backend/notifications/hooks/destinations/services.py", "_record", 2)
    ),
    (
        "backend/operations/rehearsals/services.py",
        "'api:rehearsal:hold' if rehearsal.actor != ACTOR else 'worker:rehearsal:hold'",
    ): frozenset({"api:rehearsal:hold", "worker:rehearsal:hold"}),
    (
        "backend/transactions/table_comparison/services.py",
        "'api:table_comparison:start' if actor != SCHEDULE else 'worker:table_comparison:start'",
    ): frozenset({"api:table_comparison:start", "worker:table_comparison:start"}),
    (
        "backend/operations/runs/services/plan.py",
        "'api:plan:create' if state == PlanState.READY else 'api:plan:refused'",
    ): frozenset({"api:plan:create", "api:plan:refused"}),
    ("backend/operations/runs/services/decisions.py", "f'api:run:{what}'"): _actions("api:run:{}", _DECISIONS),
    (CLAIM, "f'worker:run:{what}'"): _actions("worker:run:{}", _RUN_HELPERS)
    | {f"worker:run:step_{state}" for state in _step_states()}
    | {f"worker:run:{state}" for state in _end_states()},
    ("backend/operations/runs/execution/console.py", "f'worker:{action}'"): _actions(
        "worker:{}", _passed("backend/operations/runs/execution/console.py", "_record_event", 1)
    ),
}
OPEN_ENDED = {
    (STORE, "what"): "handed on by `_record`",
    (STORE, "state.value"): "`_end_states`",
    (STORE, "f'step_{state.value}'"): "`_step_states`",
    ("backend/operations/runs/services/decisions.py", "what"): "handed on by `publish`",
}
"""What the helpers are given computed, and what the table above has instead."""


def _recorded() -> list[CodeCall]:
    return list(code_calls(CALLS, name_of_code="action"))


def test_actions__of_the_source__are_those_of_the_catalogue() -> None:
    recorded = {call.literal for call in _recorded() if call.literal is not None} | {OPENING}
    recorded |= {action for actions in COMPUTED.values() for action in actions}
    assert recorded == {action for entry in ENTRIES for action in entry.codes}


def test_actions__computed__stand_in_the_table_and_nowhere_else() -> None:
    assert {call.computed for call in _recorded() if call.literal is None} == set(COMPUTED)


def test_actions__that_helpers_are_given_computed__are_known() -> None:
    computed = {call.computed for call in (*_RUN_HELPERS, *_DECISIONS) if not list(_values(call.code))}
    assert computed <= set(OPEN_ENDED)


def test_facts__where_a_call_lists_them__are_those_of_the_catalogue() -> None:
    """A call that computes its facts may have more; none may list one that the catalogue lacks."""
    described = {action: set(entry.fields) for entry in ENTRIES for action in entry.codes}
    listed: dict[str, set[str]] = defaultdict(set)
    partly: set[str] = set()
    for action, facts in _given_facts():
        listed[action] |= _literal_keys(facts)
        if facts is not None and not _is_whole(facts):
            partly.add(action)
    assert len(listed) > 60
    for action, names in listed.items():
        assert names <= described[action] if action in partly else names == described[action], action


def _given_facts() -> Iterator[tuple[str, ast.expr | None]]:
    """Each action that a call names, and the facts that it gives."""
    for call in _recorded():
        for action in (call.literal,) if call.literal is not None else COMPUTED[call.computed]:
            if call.function != "add" and call.file != "backend/registration/changes.py":
                yield action, keyword(call.call, "facts")
    for call in _changes():
        for source in SOURCES:
            yield f"{source}:{call.literal}", keyword(call.call, "facts")
    for call in _RUN_HELPERS:
        for value in _values(call.code):
            yield f"worker:run:{value}", call.call.args[2]


def _literal_keys(facts: ast.expr | None) -> set[str]:
    """The names that stand in the expression as keys of a literal; not those of the values in it."""
    nodes = [facts] if isinstance(facts, ast.Dict) else [] if facts is None else ast.walk(facts)
    return {
        str(k.value) for node in nodes if isinstance(node, ast.Dict) for k in node.keys if isinstance(k, ast.Constant)
    }


def _is_whole(facts: ast.expr) -> bool:
    """Whether the names are all there: a literal without anything unpacked into it."""
    return isinstance(facts, ast.Dict) and None not in facts.keys


def test_page__each_action__has_its_anchor_and_every_text() -> None:
    assert broken_layout("audit-actions.md") == []
    for entry in ENTRIES:
        assert entry.title, entry.codes
        assert entry.line("**Who**").endswith("."), entry.codes
        assert entry.line("**When**").endswith("."), entry.codes
        assert entry.line("**Columns**").endswith("."), entry.codes
        assert entry.line("**Before and after**") in VALUES, entry.codes
        assert len(set(entry.fields)) == len(entry.fields), entry.codes
