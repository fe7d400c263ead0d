"""Serializers of the calls that compare and apply a declaration. Values of references are write-only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.common.rest.fields import PlainTextField
from backend.common.rest.outputs import serializer_of
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.registration.declaration.difference import Kind, Operation
from backend.registration.declaration.document import MissingReference
from backend.registration.declaration.report import Outcome
from backend.registration.declaration.yaml_text import MAX_CHARACTERS

OPERATION = [one.value for one in Operation]
OBJECT = [one.value for one in Kind]
OUTCOME = [one.value for one in Outcome]
MAX_REFERENCES = 1000
MAX_VALUE_CHARACTERS = 65_536
_DIGEST = r"^[0-9a-f]{64}\Z"


@extend_schema_field({"type": "object", "additionalProperties": {"type": "string"}, "writeOnly": True})
class ReferenceValuesField(serializers.Field[Any, Any, Any, Any]):
    """Texts by the reference that they are the value of. No error names one: it could be the password itself."""

    default_error_messages = {
        "not_an_object": "Send an object: each reference as it stands in the document, with its value.",
        "not_text": "A value is no text, or it is too long. Send passwords and PEM certificates.",
        "too_many": f"Send at most {MAX_REFERENCES} values.",
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(write_only=True, **kwargs)

    def to_internal_value(self, data: Any) -> dict[str, str]:
        """Refuse what is no mapping of texts."""
        if not isinstance(data, Mapping):
            self.fail("not_an_object")
        if len(data) > MAX_REFERENCES:
            self.fail("too_many")
        if not all(isinstance(one, str) and len(one) <= MAX_VALUE_CHARACTERS for one in data.values()):
            self.fail("not_text")
        return dict(data)


class DeclarationInSerializer(StrictSerializer):
    """A document and the values of its references. No file and no variable of the console host is read."""

    document = serializers.CharField(
        max_length=MAX_CHARACTERS, trim_whitespace=False, help_text="YAML text that declares clusters and links"
    )
    references = ReferenceValuesField(
        default=dict,
        help_text="by `env:NAME`, `file:/PATH`, `ca_file`, `cert_file`, as in the document: password, key, certificate",
    )
    prune = serializers.BooleanField(
        default=False, help_text="remove nodes that a declared cluster no longer lists; never a cluster or link"
    )
    accept_unreachable = serializers.BooleanField(
        default=False, help_text="store what could not be tried on nodes that do not respond"
    )


class DeclarationApplySerializer(DeclarationInSerializer):
    """The same, with the differences that were read and the reason."""

    digest = serializers.RegexField(_DIGEST, help_text="`digest` of the comparison that was read")
    reason = PlainTextField(max_length=2000, help_text="reason, stored in the audit log")


class DeclarationValueSerializer(ShapeSerializer):
    """A field that differs; of a password and of a certificate no more than a sign."""

    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)


class DeclarationChangeSerializer(ShapeSerializer):
    """One object that differs."""

    operation = serializers.ChoiceField(choices=OPERATION)
    object = serializers.ChoiceField(choices=OBJECT)
    path = serializers.CharField(help_text="place in the document; blank for a node that it lacks")
    cluster = serializers.CharField(help_text="blank for a link")
    name = serializers.CharField(help_text="name as registered; of an account its role")
    fields = serializers.DictField(child=DeclarationValueSerializer())  # type: ignore[assignment]
    outcome = serializers.ChoiceField(choices=OUTCOME)
    note = serializers.CharField(help_text="why it was refused, or what it still waits for; blank otherwise")


class DeclarationNodeSerializer(ShapeSerializer):
    """A registered node that its declared cluster lacks."""

    cluster = serializers.CharField()
    name = serializers.CharField()


class DeclarationResultSerializer(ShapeSerializer):
    """What was done, in order."""

    summary = serializers.CharField()
    changes = DeclarationChangeSerializer(many=True)
    undeclared_nodes = DeclarationNodeSerializer(many=True, help_text="nodes that only `prune` removes")


class DeclarationComparisonSerializer(DeclarationResultSerializer):
    """What would be done, in order. While references are missing nothing is compared."""

    missing_references = serializer_of(MissingReference)(many=True)
    digest = serializers.CharField(
        allow_null=True, help_text="of the differences and options; null while references are missing"
    )
