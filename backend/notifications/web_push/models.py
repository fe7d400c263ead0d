"""The browsers that subscribed to Web Push, and the messages to them."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from backend.common import ids
from backend.identity.accounts.models import User


class PushSubscription(models.Model):
    """A browser of a user, as its push service knows it.

    `sealed` holds address and keys; the address alone lets its holder send to the browser. `endpoint_digest` finds a
    browser that subscribes again. `failures` counts failed attempts since the last success. Events up to id
    `event_cursor` have been processed.
    """

    id = models.CharField(primary_key=True, max_length=14, default=ids.push_subscription_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="push_subscriptions")
    endpoint_digest = models.CharField(max_length=64, unique=True)
    sealed = models.TextField()
    push_service = models.CharField(max_length=260)
    user_agent = models.CharField(max_length=200, blank=True)
    incidents = models.BooleanField()
    approvals = models.BooleanField()
    failed_runs = models.BooleanField()
    created_at = models.DateTimeField(default=timezone.now)
    last_success_at = models.DateTimeField(null=True)
    failures = models.PositiveIntegerField(default=0)
    last_error = models.CharField(max_length=500, blank=True)
    event_cursor = models.BigIntegerField(default=0)

    class Meta:
        ordering = ["created_at", "id"]

    def __str__(self) -> str:
        return f"{self.id} {self.user_id}"


class MessageState(models.TextChoices):
    """Outcome of a message."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class PushMessage(models.Model):
    """A message to one browser; `key` tells it from others, so that none is sent twice.

    `due_at` is when it is tried next; null if it is not tried again.
    """

    subscription = models.ForeignKey(PushSubscription, on_delete=models.CASCADE, related_name="messages")
    key = models.CharField(max_length=40)
    payload = models.JSONField()
    state = models.CharField(max_length=9, choices=MessageState.choices, default=MessageState.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["subscription", "key"], name="push_message_key")]
        indexes = [models.Index(fields=["state", "due_at"], name="push_message_due")]

    def __str__(self) -> str:
        return f"{self.subscription_id} {self.key} {self.state}"
