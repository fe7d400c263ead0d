"""Base serializers: inputs refuse unknown fields, outputs have no logic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.settings import api_settings

from backend.common.rest.fields import PlainTextField

NAMES_REPORTED = 10
NAME_SHOWN = 80


class StrictSerializer(serializers.Serializer[Any]):
    """An input that refuses unknown fields by name, and true or false for a number."""

    def to_internal_value(self, data: Any) -> Any:
        """Refuse unknown fields, since a misspelled option must not be ignored, and what `float` takes for 1 or 0."""
        if isinstance(data, Mapping):
            unknown = sorted(str(key) for key in set(data) - set(self.fields))
            if unknown:
                raise serializers.ValidationError(self._unknown(unknown))
            if no_numbers := self._no_numbers(data):
                raise serializers.ValidationError(no_numbers)
        return super().to_internal_value(data)

    def _no_numbers(self, data: Mapping[str, Any]) -> dict[str, list[str]]:
        numbers = (name for name, field in self.fields.items() if isinstance(field, serializers.FloatField))
        return {name: ["A valid number is required."] for name in numbers if isinstance(data.get(name), bool)}

    def _unknown(self, names: list[str]) -> dict[str, list[str]]:
        """Report the first unknown names only: a response must not grow with the request."""
        message = f"Unknown field. This call takes: {', '.join(sorted(self.fields)) or 'no fields'}."
        reported = {name[:NAME_SHOWN]: [message] for name in names[:NAMES_REPORTED]}
        left_out = len(names) - NAMES_REPORTED
        return reported if left_out <= 0 else {**reported, api_settings.NON_FIELD_ERRORS_KEY: [f"and {left_out} more"]}


class ShapeSerializer(serializers.Serializer[Any]):
    """An output: formats the data of a selector and adds nothing."""


class EmptySerializer(StrictSerializer):
    """A call without fields."""


class FieldErrorSerializer(ShapeSerializer):
    """A field at fault and how to correct it."""

    field = serializers.CharField()
    message = serializers.CharField()


class CommentSerializer(StrictSerializer):
    """Comment on a decision, for example on an abort or resume."""

    comment = PlainTextField(max_length=2000, required=False, allow_blank=True, default="")


class ProblemSerializer(ShapeSerializer):
    """RFC 9457 problem details; some codes have more members."""

    type = serializers.CharField(help_text="URN of the problem code")
    title = serializers.CharField(help_text="name of the problem")
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="what happened, what it means and what to do")
    code = serializers.CharField(help_text="stable code to decide by")
    errors = FieldErrorSerializer(many=True, help_text="fields at fault")  # type: ignore[assignment]
    request_id = serializers.CharField(help_text="identifies the call in the server logs and in the audit log")


class ChangedFactSerializer(ShapeSerializer):
    """A fact that is no longer as the plan found it."""

    fact = serializers.CharField()
    planned = serializers.JSONField()
    now = serializers.JSONField()


class ConflictSerializer(ProblemSerializer):
    """A 409. `run_id` names the unfinished run, `changes` the facts that changed, `next_start` an allowed time.

    `change` is the protected change that waits.
    """

    run_id = serializers.CharField(required=False)
    changes = ChangedFactSerializer(many=True, required=False)
    next_start = serializers.DateTimeField(required=False, allow_null=True)
    change = serializers.CharField(required=False)


def page_of(item: type[serializers.Serializer[Any]], name: str) -> type[serializers.Serializer[Any]]:
    """The list output `{results, next}` of an item, named for the schema."""
    return type(
        f"{name}PageSerializer",
        (ShapeSerializer,),
        {
            "__doc__": f"One page of {name.lower()} records; `next` is the cursor of the next page.",
            "results": item(many=True),
            "next": serializers.CharField(allow_null=True),
        },
    )
