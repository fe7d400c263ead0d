"""The Django application of automatic relocate."""

from __future__ import annotations

from django.apps import AppConfig


class AutomationConfig(AppConfig):
    """Stores what links allow, what was observed and what was done."""

    name = "backend.operations.automation"
    label = "automation"

    def ready(self) -> None:
        """What a stolen token set is switched off with it."""
        from backend.identity.accounts import token_services
        from backend.operations.automation.withdrawal import withdraw_of_token

        token_services.register_withdrawal(withdraw_of_token)
