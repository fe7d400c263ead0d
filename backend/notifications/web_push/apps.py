"""Django application of Web Push."""

from __future__ import annotations

from django.apps import AppConfig


class WebPushConfig(AppConfig):
    """Holds the subscriptions of browsers and the messages to them."""

    name = "backend.notifications.web_push"
    label = "web_push"

    def ready(self) -> None:
        """A user whose access ends gets no messages any more."""
        from backend.identity.accounts import access
        from backend.notifications.web_push.services import end_subscriptions

        access.register("push_subscriptions_removed", end_subscriptions)
