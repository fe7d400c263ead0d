"""Serializers of Web Push."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.fields import PlainTextField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer


class PushChoiceSerializer(StrictSerializer):
    """What a browser is told of."""

    incidents = serializers.BooleanField(help_text="an event of severity blocker or unknown, on any link")
    approvals = serializers.BooleanField(help_text="a run waits for the approval of a second person")
    failed_runs = serializers.BooleanField(help_text="a run failed")


class PushSubscriptionInSerializer(PushChoiceSerializer):
    """A browser to add, as its `PushSubscription.toJSON()` describes it, and what it is told of."""

    endpoint = PlainTextField(max_length=2000, help_text="URL at the push service of the browser, https only")
    p256dh = PlainTextField(max_length=200, help_text="public key of the browser, base64url")
    auth = PlainTextField(max_length=100, help_text="authentication secret of the browser, base64url")


class PushSubscriptionSerializer(ShapeSerializer):
    """A browser that gets messages. Its address at the push service is never shown."""

    id = serializers.CharField()
    push_service = serializers.CharField(help_text="host to which its messages are sent")
    user_agent = serializers.CharField(allow_blank=True)
    incidents = serializers.BooleanField()
    approvals = serializers.BooleanField()
    failed_runs = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    last_success_at = serializers.DateTimeField(
        allow_null=True, help_text="when the push service last accepted a message; null: not yet"
    )
    failures = serializers.IntegerField(help_text="failed attempts since then")
    last_error = serializers.CharField(allow_blank=True, help_text="why the last attempt failed; empty if it did not")


class PushSerializer(ShapeSerializer):
    """Web Push for the current user."""

    public_key = serializers.CharField(
        allow_null=True, help_text="public key of this console, base64url; null: Web Push is not configured"
    )
    at_most = serializers.IntegerField(help_text="limit of browsers per user")
    subscriptions = PushSubscriptionSerializer(many=True)


class PushTestSerializer(ShapeSerializer):
    """The outcome of a test message."""

    is_accepted = serializers.BooleanField(help_text="whether the push service accepted the message")
    status = serializers.IntegerField(allow_null=True, help_text="HTTP status; null: no response")
    error = serializers.CharField(allow_blank=True)
    is_removed = serializers.BooleanField(help_text="the push service does not know the browser, so it was removed")
