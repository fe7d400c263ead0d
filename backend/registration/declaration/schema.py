"""The form of a file: which keys it has and which values they take, stricter than a request about types."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.clusters.serializers.clusters import TLS_MODE
from backend.clusters.serializers.links import ChannelNameField
from backend.common.rest.fields import NameField, PlainTextField
from backend.common.rest.serializers import NAME_SHOWN, NAMES_REPORTED, StrictSerializer
from backend.registration.declaration.references import REMEDY, is_reference
from backend.registration.nodes import MOST_NODES


class _Section(StrictSerializer):
    """A part of the file."""

    def _unknown(self, names: list[str]) -> dict[str, list[str]]:
        message = f"Unknown key. Remove it; known here are {', '.join(self.fields)}."
        return {name[:NAME_SHOWN]: [message] for name in names[:NAMES_REPORTED]}


class _PortField(serializers.IntegerField):
    def to_internal_value(self, data: Any) -> int:
        """Refuse what only looks like a number: text in quotes, true and false."""
        if type(data) is not int:
            raise serializers.ValidationError("Write a number from 1 to 65535, without quotes.")
        return super().to_internal_value(data)


class _SwitchField(serializers.BooleanField):
    def to_internal_value(self, data: Any) -> bool:
        """Refuse numbers and text that stand for true or false."""
        if type(data) is not bool:
            raise serializers.ValidationError("Write true or false, without quotes.")
        return data


class _ChannelField(ChannelNameField):
    def to_internal_value(self, data: Any) -> str:
        """Refuse a number: the name of a channel is text."""
        if not isinstance(data, str):
            raise serializers.ValidationError("Write the name in quotes.")
        return super().to_internal_value(data)


class _ReferenceField(serializers.CharField):
    def to_internal_value(self, data: Any) -> str:
        """Refuse a password itself, and never repeat it."""
        if not isinstance(data, str) or not is_reference(data):
            raise serializers.ValidationError(f"A password must not stand in the file. {REMEDY}")
        return data


class _KeyField(serializers.CharField):
    def to_internal_value(self, data: Any) -> str:
        """Refuse a private key itself, and never repeat it."""
        if not isinstance(data, str) or not is_reference(data):
            raise serializers.ValidationError(f"A private key must not stand in the file. {REMEDY}")
        return data


class NodeSection(_Section):
    """A node."""

    name = NameField()
    host = PlainTextField(max_length=253)
    port = _PortField(min_value=1, max_value=65535, default=3306)


class AccountSection(_Section):
    """An account. `password` says where it is read once, to be sealed; `reference` names the store where it stays."""

    user = PlainTextField(max_length=128)
    password = _ReferenceField(required=False)
    reference = PlainTextField(max_length=300, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Exactly one of the two."""
        if ("password" in attrs) == ("reference" in attrs):
            message = f"Write where the password is read once (password), or where it stays (reference). {REMEDY}"
            raise serializers.ValidationError({"password": message})
        return attrs


class CredentialsSection(_Section):
    """The three accounts of a cluster."""

    monitor = AccountSection()
    operator = AccountSection()
    replication = AccountSection()


class TlsSection(_Section):
    """How to connect; `ca_file` and `cert_file` are relative to the folder of the file.

    `key` says where the private key is read once, to be sealed; `key_reference` names the store where it stays.
    """

    mode = serializers.ChoiceField(
        choices=TLS_MODE, error_messages={"invalid_choice": f"Write one of {', '.join(TLS_MODE)}."}
    )
    ca_file = PlainTextField(max_length=4096, required=False)
    cert_file = PlainTextField(max_length=4096, required=False)
    key = _KeyField(required=False)
    key_reference = PlainTextField(max_length=300, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A client certificate has exactly one key, and no key is without its certificate."""
        keys = [name for name in ("key", "key_reference") if name in attrs]
        if len(keys) > 1 or (keys == []) == ("cert_file" in attrs):
            message = (
                "A client certificate (cert_file) needs its private key: write where it is read once (key), or where "
                f"it stays (key_reference), and not both. {REMEDY}"
            )
            raise serializers.ValidationError({"cert_file": message})
        return attrs


class ClusterSection(_Section):
    """A cluster with all of its nodes."""

    name = NameField()
    site = NameField()
    tls = TlsSection()
    credentials = CredentialsSection()
    nodes = serializers.ListField(child=NodeSection(), allow_empty=False, max_length=MOST_NODES)


class LinkSection(_Section):
    """A link by the names of its clusters. `create_probe` counts when the link is registered, and not later."""

    name = NameField()
    clusters = serializers.ListField(child=NameField(), min_length=2, max_length=2)
    home = NameField()
    channel_name = _ChannelField(required=False, allow_blank=True, default="")
    requires_approval = _SwitchField(required=False)
    writes_on_both_sides = _SwitchField(required=False)
    create_probe = _SwitchField(default=True)


class FileSection(_Section):
    """The whole file."""

    clusters = serializers.ListField(child=ClusterSection(), required=False, default=list)
    links = serializers.ListField(child=LinkSection(), required=False, default=list)
