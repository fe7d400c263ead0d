"""Webhooks of links, destinations of notifications, and every call that was made."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from backend.clusters.models import Link
from backend.common import ids
from backend.core.hooks import HookPhase, HookService


class PresentManager(models.Manager["Hook"]):
    """Those that are not deleted."""

    def get_queryset(self) -> models.QuerySet[Hook]:
        """Without those that were deleted and are still told of protected changes."""
        return super().get_queryset().filter(is_deleted=False)


class Hook(models.Model):
    """A webhook of a link, or a destination: a service that is notified of events.

    `kinds` are kinds of plans, or for phase "event" prefixes of event kinds; empty means all. `sealed` is the secret
    that signs a webhook's calls, or the fields of a destination as JSON; `sealed_url` is a webhook's address. A
    destination without a link is notified of the events of all links. Events up to id `event_cursor` have been
    processed. `formers` are where and what it was told before it was silenced, each until its time is over, and
    `former_until` the last of these times (`former_receivers`); a deleted one (`is_deleted`) is kept for them.
    """

    id = models.CharField(primary_key=True, max_length=14, default=ids.hook_id, editable=False)
    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="hooks", null=True)
    service = models.CharField(
        max_length=9,
        choices=[(one.value, one.value) for one in HookService],
        default=HookService.WEBHOOK.value,
        db_default=HookService.WEBHOOK.value,
    )
    name = models.CharField(max_length=63)
    sealed_url = models.TextField(blank=True)
    sealed = models.TextField()
    phase = models.CharField(max_length=6, choices=[(phase.value, phase.value) for phase in HookPhase])
    kinds = models.JSONField(default=list)
    blocking = models.BooleanField(default=False)
    timeout_s = models.PositiveSmallIntegerField(default=10)
    min_severity = models.CharField(max_length=8, default="warning")
    enabled = models.BooleanField(default=True)
    event_cursor = models.BigIntegerField(default=0)
    formers = models.JSONField(null=True)
    former_until = models.DateTimeField(null=True)
    is_deleted = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = PresentManager()
    every = models.Manager["Hook"]()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["link", "name"], name="hook_name")]

    def __str__(self) -> str:
        return f"{self.link_id or 'all links'} {self.name}"

    @property
    def is_webhook(self) -> bool:
        """Whether it is a webhook and no destination."""
        return self.service == HookService.WEBHOOK

    @property
    def is_told(self) -> bool:
        """Whether it is told of events."""
        return self.enabled and self.phase == HookPhase.EVENT

    @property
    def label(self) -> str:
        """What it is, and its name, as part of a sentence."""
        return f"{'webhook' if self.is_webhook else 'destination'} {self.name}"


class DeliveryState(models.TextChoices):
    """Outcome of a call."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class Delivery(models.Model):
    """A call of a webhook or destination; `key` identifies it to the receiver over all attempts.

    `due_at` is when a notification is tried next; null if it is not tried again automatically. `former` is where the
    receiver was, its columns still sealed, for the one message that tells it of its own change.
    """

    id = models.CharField(primary_key=True, max_length=14, default=ids.delivery_id, editable=False)
    hook = models.ForeignKey(Hook, on_delete=models.CASCADE, related_name="deliveries")
    key = models.CharField(max_length=64)
    phase = models.CharField(max_length=6)
    kind = models.CharField(max_length=60)
    run_id = models.CharField(max_length=14, blank=True)
    payload = models.JSONField()
    state = models.CharField(max_length=9, choices=DeliveryState.choices, default=DeliveryState.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    status = models.PositiveSmallIntegerField(null=True)
    ms = models.FloatField(null=True)
    answer = models.TextField(blank=True)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    last_at = models.DateTimeField(null=True)
    due_at = models.DateTimeField(null=True)
    former = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["hook", "key"], name="delivery_key")]
        indexes = [
            models.Index(fields=["due_at"], name="delivery_due"),
            models.Index(fields=["hook", "created_at", "id"], name="delivery_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.hook_id} {self.key} {self.state}"
