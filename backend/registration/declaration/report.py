"""Differences as lines to read and as JSON; passwords and certificates are not in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from backend.registration.declaration.difference import Difference, Fault, FieldChange, Kind, Operation


class Outcome(StrEnum):
    """What became of a difference."""

    PLANNED = "planned"
    DONE = "done"
    REFUSED = "refused"
    NOT_DONE = "not_done"


@dataclass(frozen=True, slots=True)
class Result:
    """A difference with its outcome; `note` is what it still waits for, or why it was refused."""

    difference: Difference
    outcome: Outcome
    note: str = ""


NOT_APPLIED = "The file cannot be applied. Nothing was changed."
_SIGNS = {Operation.ADD: "+", Operation.CHANGE: "~", Operation.REMOVE: "-"}


def result_lines(one: Result) -> Iterator[str]:
    """The object with its sign and outcome, then its fields, then what it still waits for."""
    outcome = "" if one.outcome is Outcome.PLANNED else f"  [{one.outcome.value.replace('_', ' ')}]"
    yield f"{_SIGNS[one.difference.operation]} {object_name(one.difference)}{outcome}"
    for field in one.difference.fields:
        yield f"    {_field(one.difference, field)}"
    if one.note:
        yield f"    {one.note}"


def object_name(difference: Difference) -> str:
    """Kind and name; of what belongs to a cluster its name first."""
    is_part = difference.kind in (Kind.ACCOUNT, Kind.NODE)
    name = f"{difference.cluster}/{difference.name}" if is_part else difference.name
    return f"{difference.kind} {name}"


def undeclared_line(cluster: str, node: str) -> str:
    """A node that only `--prune` removes."""
    return f"! node {cluster}/{node} is registered and not in the file. --prune removes it."


def summary(results: Sequence[Result]) -> str:
    """The last line."""
    if not results:
        return "No differences. Nothing was changed."
    counts = {outcome: sum(one.outcome is outcome for one in results) for outcome in Outcome}
    if counts[Outcome.PLANNED]:
        return f"{_changes(counts[Outcome.PLANNED])} to make, in this order. Nothing was changed."
    if not counts[Outcome.REFUSED]:
        return f"{_changes(len(results))} made."
    rest = f"{_changes(counts[Outcome.DONE])} made, 1 refused, {counts[Outcome.NOT_DONE]} not made."
    return f"{rest} What was made stays. Remove the cause and apply the file again."


def report(results: Sequence[Result], undeclared: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """What was found or done as one object."""
    return {
        "summary": summary(results),
        "changes": [_result_json(one) for one in results],
        "undeclared_nodes": [{"cluster": cluster, "name": node} for cluster, node in undeclared],
    }


def report_json(results: Sequence[Result], undeclared: Sequence[tuple[str, str]], faults: Sequence[Fault]) -> str:
    """The whole answer of the command as text; with faults nothing else is in it."""
    answer = report(results, undeclared)
    if faults:
        answer["summary"] = NOT_APPLIED
    listed = [{"path": fault.path, "message": fault.message} for fault in faults]
    return json.dumps({**answer, "faults": listed}, indent=2)


def _changes(number: int) -> str:
    return f"{number} change" if number == 1 else f"{number} changes"


def _result_json(one: Result) -> dict[str, Any]:
    return {
        "operation": one.difference.operation.value,
        "object": one.difference.kind.value,
        "path": one.difference.path,
        "cluster": one.difference.cluster,
        "name": one.difference.name,
        "fields": {field.name: {"before": field.before, "after": field.after} for field in one.difference.fields},
        "outcome": one.outcome.value,
        "note": one.note,
    }


def _field(difference: Difference, field: FieldChange) -> str:
    if field.name == "password":
        return f"password: {field.after}"
    if difference.operation is Operation.ADD:
        return f"{field.name}: {_value(field.after)}"
    if difference.operation is Operation.REMOVE:
        return f"{field.name}: {_value(field.before)}"
    return f"{field.name}: {_value(field.before)} -> {_value(field.after)}"


def _value(value: Any) -> str:
    """Booleans as in the file; an empty text in quotes."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) or '""'
