"""Serializers of a cluster: as it is registered, in full, in brief, and the findings of its check."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.clusters.serializers.nodes import NodeInSerializer, NodeSerializer
from backend.common.rest.fields import NameField, PlainTextField, SecretField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of
from backend.core.findings import Severity
from backend.gateway.connection.endpoint import TlsMode

SEVERITY = [severity.value for severity in Severity]
TLS_MODE = [mode.value for mode in TlsMode]
CLUSTER_STATUS = ["primary", "degraded", "split", "non_primary", "down", "unknown"]


class AccountInSerializer(StrictSerializer):
    """A database account; its password is sealed here, or stays in a store that `reference` names."""

    user = PlainTextField(max_length=128)
    password = SecretField(required=False)
    reference = PlainTextField(
        max_length=300,
        required=False,
        help_text="`file:PATH`, `env:NAME`, `vault:MOUNT/PATH#FIELD`, or `vault-db:MOUNT/ROLE` (monitor only)",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Exactly one of the two."""
        if ("password" in attrs) == ("reference" in attrs):
            message = "Give the password, or a reference to where it is, and not both."
            raise serializers.ValidationError({"password": message})
        return attrs


class CredentialsInSerializer(StrictSerializer):
    """The three accounts, by privileges."""

    monitor = AccountInSerializer()
    operator = AccountInSerializer()
    replication = AccountInSerializer()


class TlsInSerializer(StrictSerializer):
    """How to connect to the nodes; certificates and key are PEM texts."""

    mode = serializers.ChoiceField(choices=TLS_MODE)
    ca = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=65_536,
        help_text="certificate of the authority, as PEM text; several while one replaces another",
    )
    cert = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=65_536,
        help_text="client certificate of the console, for accounts with REQUIRE X509; blank removes it",
    )
    private_key = serializers.CharField(
        required=False, write_only=True, max_length=16_384, help_text="its private key, without a passphrase"
    )
    key_reference = PlainTextField(
        max_length=300, required=False, help_text="where the private key is instead: `file:PATH` or `vault:…`"
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """At most one of key and reference."""
        if attrs.get("private_key") and attrs.get("key_reference"):
            raise serializers.ValidationError(
                {"private_key": "Give the key, or a reference to where it is, and not both."}
            )
        return attrs


class ClusterInSerializer(StrictSerializer):
    """A cluster to register; secrets are write-only."""

    name = NameField()
    site = NameField()
    nodes = serializers.ListField(child=NodeInSerializer(), allow_empty=False, max_length=32)
    credentials = CredentialsInSerializer()
    tls = TlsInSerializer()


class FindingSerializer(ShapeSerializer):
    """The result of a check."""

    code = serializers.CharField()
    severity = serializers.ChoiceField(choices=SEVERITY)
    message = serializers.CharField(help_text="what was found, in a sentence")
    remedy = serializers.CharField(allow_blank=True, help_text="what to do; blank if nothing")
    facts = serializers.DictField()


class FindingsSerializer(ShapeSerializer):
    """The results of all checks."""

    findings = FindingSerializer(many=True)


class TlsSerializer(ShapeSerializer):
    """How the console connects to the nodes."""

    mode = serializers.ChoiceField(choices=TLS_MODE)
    has_ca = serializers.BooleanField()
    has_client_certificate = serializers.BooleanField()
    key_reference = serializers.CharField(allow_null=True, help_text="null: the key is sealed here, or none")


class AccountSerializer(ShapeSerializer):
    """An account of the cluster and where its password is; never the password."""

    role = serializers.CharField(help_text="`monitor`, `operator` or `replication`")
    user = serializers.CharField()
    reference = serializers.CharField(allow_null=True, help_text="null: the password is sealed in Hawser")
    read_at = serializers.DateTimeField(allow_null=True, help_text="when the monitor last read it from the store")
    read_problem = serializers.CharField(allow_null=True, help_text="why it could not be read the last time")


class ClusterSerializer(ShapeSerializer):
    """A cluster with its nodes."""

    id = serializers.CharField()
    name = serializers.CharField()
    site = serializers.CharField()
    environment = serializers.CharField(allow_blank=True, help_text="for example production; blank for none")
    state_uuid = serializers.CharField(allow_null=True)
    tls = TlsSerializer()
    nodes = NodeSerializer(many=True)
    accounts = AccountSerializer(many=True)
    version = serializers.IntegerField(help_text="version of the registration, also its ETag")
    created_at = serializers.DateTimeField()
    retired_at = serializers.DateTimeField(allow_null=True)


class ClusterBriefSerializer(ShapeSerializer):
    """A cluster as one side of a link."""

    id = serializers.CharField()
    name = serializers.CharField()
    site = serializers.CharField()
    status = serializers.ChoiceField(choices=CLUSTER_STATUS)
    nodes_up = serializers.IntegerField()
    nodes = serializers.IntegerField()
    last_committed = serializers.IntegerField(allow_null=True)


ClusterPageSerializer = page_of(ClusterSerializer, "Cluster")
