"""Responses shaped without asking each field again: equal to what the serializer makes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from rest_framework import serializers

from backend.common.rest.representation import representation_by
from backend.common.rest.serializers import ShapeSerializer


class _Inner(ShapeSerializer):
    name = serializers.CharField()
    count = serializers.IntegerField(allow_null=True)


class _Outer(ShapeSerializer):
    text = serializers.CharField()
    word = serializers.ChoiceField(choices=["one", "two"])
    number = serializers.ChoiceField(choices=[1, 2])
    ratio = serializers.FloatField(allow_null=True)
    is_so = serializers.BooleanField()
    at = serializers.DateTimeField(allow_null=True)
    one = _Inner(allow_null=True)
    several = _Inner(many=True)
    texts = serializers.ListField(child=serializers.CharField())
    by_name = serializers.DictField(child=_Inner())
    facts = serializers.DictField()
    optional = serializers.CharField(required=False)
    raw = serializers.JSONField()


class _Renamed(ShapeSerializer):
    shown = serializers.CharField(source="kept")


FULL: dict[str, Any] = {
    "text": "x",
    "word": "two",
    "number": "1",
    "ratio": 1,
    "is_so": True,
    "at": datetime(2026, 11, 27, 1, 2, 3, 4, UTC),
    "one": {"name": "a", "count": 1, "left_out": 2},
    "several": [{"name": 5, "count": None}],
    "texts": ["x", 7, None],
    "by_name": {"a": {"name": "b", "count": "3"}, 4: None},
    "facts": {"a": [1, {"b": None}], 5: True},
    "optional": "y",
    "raw": [1],
    "left_out": "z",
}
LATER = datetime(2026, 11, 27, 1, 2, 3, tzinfo=timezone(timedelta(hours=2)))
OTHER = FULL | {
    "one": None,
    "at": LATER,
    "ratio": None,
    "is_so": "true",
    "several": (),
    "number": 3,
    "word": "",
    "text": 8,
}


@pytest.mark.parametrize("given", [FULL, OTHER, {name: FULL[name] for name in FULL if name not in ("optional", "one")}])
def test_shape__any_values__as_the_serializer_makes_them(given: dict[str, Any]) -> None:
    assert repr(representation_by(_Outer)(given)) == repr(dict(_Outer().to_representation(given)))


def test_shape__another_source_or_an_object__left_to_the_serializer() -> None:
    assert representation_by(_Renamed)({"kept": 1}) == {"shown": "1"}
    assert representation_by(_Inner)(type("Thing", (), {"name": 1, "count": "2"})()) == {"name": "1", "count": 2}


def test_shape__field_missing__the_error_of_the_serializer() -> None:
    with pytest.raises(KeyError, match="text"):
        representation_by(_Outer)({})
