"""Differences as lines to read and as JSON; passwords and certificates are not in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from backend.registration.declaration.difference import Difference, FieldChange, Kind, Operation


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


_SIGNS = {Operation.ADD: "+", Operation.CHANGE: "~", Operation.REMOVE: "-"}


def difference_lines(difference: Difference) -> Iterator[str]:
    """The object with its sign, then its fields."""
    sign = _SIGNS[difference.operation]
    yield f"{sign} {object_name(difference)}"
    for field in difference.fields:
        yield f"    {_field(difference, field)}"


def object_name(difference: Difference) -> str:
    """Kind and name; of what belongs to a cluster its name first."""
    is_part = difference.kind in (Kind.ACCOUNT, Kind.NODE)
    return (
        f"{difference.kind} {difference.cluster}/{difference.name}"
        if is_part
        else f"{difference.kind} {difference.name}"
    )


def results_json(results: Sequence[Result]) -> list[dict[str, Any]]:
    """The differences in their order."""
    return [
        {
            "operation": one.difference.operation.value,
            "object": one.difference.kind.value,
            "path": one.difference.path,
            "cluster": one.difference.cluster,
            "name": one.difference.name,
            "fields": {field.name: {"before": field.before, "after": field.after} for field in one.difference.fields},
            "outcome": one.outcome.value,
            "note": one.note,
        }
        for one in results
    ]


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
