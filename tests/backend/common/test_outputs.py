"""The serializer of an output says what its dataclass says: names, types, nulls, choices and help texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

import pytest
from rest_framework import serializers

from backend.common.rest.outputs import filled, serializer_of
from backend.core.estimates import Tenths


class Colour(StrEnum):
    """An enumeration."""

    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Part:
    """A part."""

    component: ClassVar[str] = "OnePart"
    size: Annotated[Tenths | None, "in metres"] = None


@dataclass(frozen=True, slots=True)
class Whole:
    """The whole."""

    from_: datetime
    colour: Annotated[Colour | Literal["none"] | None, "of the paint"]
    parts: tuple[Part, ...]
    first: Part | None
    names: tuple[str, ...]
    by_name: Mapping[str, int]
    facts: Mapping[str, Any]


WHOLE = Whole(datetime(2026, 1, 2, tzinfo=UTC), Colour.RED, (Part(1.26), Part()), None, ("a",), {"a": 1}, {"b": [2]})


def test_fields__of_each_type__named_nullable_and_with_help() -> None:
    found = serializer_of(Whole)().fields
    assert list(found) == ["from", *(one.name for one in fields(Whole)[1:])]
    assert list(found["colour"].choices) == ["red", "blue", "none"]
    assert (found["colour"].allow_null, found["colour"].help_text) == (True, "of the paint")
    assert isinstance(found["by_name"].child, serializers.IntegerField)
    part = found["parts"].child
    assert (type(part).__name__, type(part).__doc__) == ("OnePartSerializer", "A part.")
    assert (part.fields["size"].help_text, part.fields["size"].allow_null) == ("in metres", True)


def test_representation__of_nested_values__rounded_and_plain() -> None:
    assert serializer_of(Whole)(WHOLE).data == {
        "from": "2026-01-02T00:00:00Z",
        "colour": "red",
        "parts": [{"size": 1.3}, {"size": None}],
        "first": None,
        "names": ["a"],
        "by_name": {"a": 1},
        "facts": {"b": [2]},
    }


def test_filled__own_values_first__then_the_first_source_that_has_the_name() -> None:
    other = filled(Whole, Part(3), WHOLE, names=("b",))
    assert (other.names, other.parts) == (("b",), WHOLE.parts)
    with pytest.raises(AttributeError):
        filled(Whole, Part(3))
