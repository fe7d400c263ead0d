"""Serializers of destinations."""

from __future__ import annotations

from rest_framework import serializers

from backend.clusters.serializers.clusters import SEVERITY
from backend.common.rest.fields import NameField, PlainTextField, SecretField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of
from backend.notifications.hooks.messages import fields as known
from backend.notifications.hooks.serializers import DeliverySerializer, kinds_field

SERVICES = [service.value for service in known.SERVICES]
REGIONS, SECURITIES = list(known.REGIONS), list(known.SECURITIES)
MAX_RECIPIENTS = 20


class DestinationSettingsInSerializer(StrictSerializer):
    """The settings of the service; those of another one are refused. What is left out of a change stays."""

    url = PlainTextField(max_length=2000, required=False, write_only=True, help_text="slack, teams: URL of the webhook")
    key = SecretField(required=False, help_text="pagerduty: integration key; opsgenie: API key")
    region = serializers.ChoiceField(choices=REGIONS, required=False, help_text="pagerduty, opsgenie: default us")
    host = PlainTextField(max_length=253, required=False, help_text="email: host name of the mail server")
    port = serializers.IntegerField(min_value=1, max_value=65535, required=False, help_text="email: its port")
    security = serializers.ChoiceField(
        choices=SECURITIES, required=False, help_text="email: none only without user and password"
    )
    user = PlainTextField(max_length=200, required=False, allow_blank=True, help_text="email: may be empty")
    password = SecretField(required=False, allow_blank=True, help_text="email: empty removes it")
    sender = serializers.EmailField(required=False, help_text="email: the address that mails are sent from")
    recipients = serializers.ListField(
        child=serializers.EmailField(),
        min_length=1,
        max_length=MAX_RECIPIENTS,
        required=False,
        help_text="email: who gets the mails",
    )


class DestinationInSerializer(StrictSerializer):
    """A destination to create."""

    name = NameField()
    service = serializers.ChoiceField(choices=SERVICES)
    link_id = serializers.CharField(
        max_length=14, allow_null=True, default=None, help_text="the link whose events it gets; null: all links"
    )
    settings = DestinationSettingsInSerializer()
    kinds = kinds_field(default=list)
    min_severity = serializers.ChoiceField(
        choices=SEVERITY, default="warning", help_text="least severity of events to send"
    )
    enabled = serializers.BooleanField(default=True, help_text="whether it is notified of events")


class DestinationChangeSerializer(StrictSerializer):
    """Changes of a destination."""

    name = NameField(required=False)
    settings = DestinationSettingsInSerializer(required=False)
    kinds = kinds_field(required=False)
    min_severity = serializers.ChoiceField(choices=SEVERITY, required=False)
    enabled = serializers.BooleanField(required=False)


class DestinationSettingsSerializer(ShapeSerializer):
    """The settings that are no secrets; null for those of another service."""

    region = serializers.ChoiceField(choices=REGIONS, allow_null=True)
    host = serializers.CharField(allow_null=True)
    port = serializers.IntegerField(allow_null=True)
    security = serializers.ChoiceField(choices=SECURITIES, allow_null=True)
    user = serializers.CharField(allow_null=True, allow_blank=True)
    sender = serializers.CharField(allow_null=True)
    recipients = serializers.ListField(child=serializers.CharField(), allow_null=True)


class DestinationSerializer(ShapeSerializer):
    """A destination. Its secrets are never shown, its settings only to users who may change it."""

    id = serializers.CharField()
    name = serializers.CharField()
    service = serializers.ChoiceField(choices=SERVICES)
    link_id = serializers.CharField(allow_null=True, help_text="null: the events of all links")
    link_name = serializers.CharField(allow_null=True)
    target = serializers.CharField(help_text="where it leads, without secrets")
    settings = DestinationSettingsSerializer(allow_null=True)
    kinds = serializers.ListField(child=serializers.CharField())
    min_severity = serializers.ChoiceField(choices=SEVERITY)
    enabled = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    last_delivery = DeliverySerializer(allow_null=True)


DestinationPageSerializer = page_of(DestinationSerializer, "Destination")
