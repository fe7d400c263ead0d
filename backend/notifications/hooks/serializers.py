"""Serializers of webhooks and their deliveries."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.clusters.serializers.clusters import SEVERITY
from backend.common.rest.fields import NameField, PlainTextField, SecretField
from backend.common.rest.pagination import DEFAULT_PAGE, MAX_PAGE
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of
from backend.core.hooks import HookPhase
from backend.notifications.hooks.models import DeliveryState

PHASES = [HookPhase.BEFORE.value, HookPhase.AFTER.value, HookPhase.EVENT.value]
CALL_PHASES = [phase.value for phase in HookPhase]
DELIVERY_STATE = list(DeliveryState.values)


def kinds_field(**kwargs: Any) -> serializers.ListField:
    """Kinds of plans, or prefixes of event kinds."""
    return serializers.ListField(child=PlainTextField(max_length=40), max_length=40, **kwargs)


class HookInSerializer(StrictSerializer):
    """A webhook to create. `kinds`: kinds of plans, or prefixes of event kinds; empty means all."""

    name = NameField()
    url = PlainTextField(max_length=2000)
    secret = SecretField(min_length=16, help_text="secret that signs the calls, at least 16 characters")
    phase = serializers.ChoiceField(choices=PHASES, help_text="when to call: before a run, after it, or for events")
    kinds = kinds_field(default=list)
    blocking = serializers.BooleanField(default=False, help_text="whether a failed call before a run stops the run")
    timeout_s = serializers.IntegerField(
        min_value=1, max_value=60, default=10, help_text="time limit of a call in seconds"
    )
    min_severity = serializers.ChoiceField(
        choices=SEVERITY, default="warning", help_text="least severity of events to send"
    )
    enabled = serializers.BooleanField(default=True, help_text="whether the webhook is called")


class HookChangeSerializer(StrictSerializer):
    """Changes of a webhook."""

    name = NameField(required=False)
    url = PlainTextField(max_length=2000, required=False)
    secret = SecretField(min_length=16, required=False)
    phase = serializers.ChoiceField(choices=PHASES, required=False)
    kinds = kinds_field(required=False)
    blocking = serializers.BooleanField(required=False)
    timeout_s = serializers.IntegerField(min_value=1, max_value=60, required=False)
    min_severity = serializers.ChoiceField(choices=SEVERITY, required=False)
    enabled = serializers.BooleanField(required=False)


class DeliverySerializer(ShapeSerializer):
    """A delivery.

    `status` is of HTTP, or of SMTP for e-mail; null: no response. `answer` null: only shown to users who may change it.
    """

    id = serializers.CharField()
    hook_id = serializers.CharField()
    key = serializers.CharField(help_text="identifies the call over all its attempts")
    phase = serializers.ChoiceField(choices=CALL_PHASES)
    kind = serializers.CharField()
    run_id = serializers.CharField(allow_null=True)
    payload = serializers.DictField()
    state = serializers.ChoiceField(choices=DELIVERY_STATE)
    attempts = serializers.IntegerField()
    status = serializers.IntegerField(allow_null=True)
    ms = serializers.FloatField(allow_null=True)
    answer = serializers.CharField(allow_blank=True, allow_null=True)
    error = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    last_at = serializers.DateTimeField(allow_null=True)
    due_at = serializers.DateTimeField(allow_null=True, help_text="time of the next attempt; null if there is none")


class HookSerializer(ShapeSerializer):
    """A webhook. Its secret is never shown, its whole URL only to users who may change it."""

    id = serializers.CharField()
    link_id = serializers.CharField()
    name = serializers.CharField()
    url = serializers.CharField()
    phase = serializers.ChoiceField(choices=PHASES)
    kinds = serializers.ListField(child=serializers.CharField())
    blocking = serializers.BooleanField()
    timeout_s = serializers.IntegerField()
    min_severity = serializers.ChoiceField(choices=SEVERITY)
    enabled = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    last_delivery = DeliverySerializer(allow_null=True)


class DeliveryQuerySerializer(StrictSerializer):
    """A page of deliveries."""

    cursor = serializers.CharField(required=False, max_length=400, help_text="`next` of the previous page")
    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_PAGE, default=DEFAULT_PAGE, help_text="number of results per page"
    )


HookPageSerializer = page_of(HookSerializer, "Hook")
DeliveryPageSerializer = page_of(DeliverySerializer, "Delivery")
