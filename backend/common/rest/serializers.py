"""Base serializers: inputs refuse unknown fields, answers are shapes without logic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.settings import api_settings

from backend.common.rest.fields import PlainTextField

NAMES_REPORTED = 10
NAME_SHOWN = 80


class StrictSerializer(serializers.Serializer[Any]):
    """An input whose unknown fields are refused by name."""

    def to_internal_value(self, data: Any) -> Any:
        """Refuse fields that nobody would read: a typo must not pass for consent."""
        if isinstance(data, Mapping):
            unknown = sorted(str(key) for key in set(data) - set(self.fields))
            if unknown:
                raise serializers.ValidationError(self._unknown(unknown))
        return super().to_internal_value(data)

    def _unknown(self, names: list[str]) -> dict[str, list[str]]:
        """The first of them: an answer must not grow with what a stranger sends."""
        message = f"Unknown field; this call takes: {', '.join(sorted(self.fields)) or 'no fields'}."
        reported = {name[:NAME_SHOWN]: [message] for name in names[:NAMES_REPORTED]}
        left_out = len(names) - NAMES_REPORTED
        return reported if left_out <= 0 else {**reported, api_settings.NON_FIELD_ERRORS_KEY: [f"and {left_out} more"]}


class ShapeSerializer(serializers.Serializer[Any]):
    """An answer: shapes what a selector gave, adds nothing."""


class EmptySerializer(StrictSerializer):
    """A call that takes no fields."""


class FieldErrorSerializer(ShapeSerializer):
    """One field at fault and how to put it right."""

    field = serializers.CharField()
    message = serializers.CharField()


class CommentSerializer(StrictSerializer):
    """A word on a decision."""

    comment = PlainTextField(max_length=2000, required=False, allow_blank=True, default="")


class ProblemSerializer(ShapeSerializer):
    """RFC 9457 problem details; some codes carry more members."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    errors = FieldErrorSerializer(many=True)  # type: ignore[assignment]
    request_id = serializers.CharField()


class ChangedFactSerializer(ShapeSerializer):
    """A fact that is no longer what the plan rests on."""

    fact = serializers.CharField()
    planned = serializers.JSONField()
    now = serializers.JSONField()


class ConflictSerializer(ProblemSerializer):
    """A 409: `run_id` names an unfinished run, `changes` the facts that moved."""

    run_id = serializers.CharField(required=False)
    changes = ChangedFactSerializer(many=True, required=False)


def page_of(item: type[serializers.Serializer[Any]], name: str) -> type[serializers.Serializer[Any]]:
    """The list answer `{results, next}` for an item, named for the schema."""
    return type(
        f"{name}PageSerializer",
        (ShapeSerializer,),
        {
            "__doc__": f"One page of {name.lower()} records; `next` is the cursor of the page after it.",
            "results": item(many=True),
            "next": serializers.CharField(allow_null=True),
        },
    )
