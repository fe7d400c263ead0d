"""Django application of plans and runs."""

from __future__ import annotations

from django.apps import AppConfig


class RunsConfig(AppConfig):
    """Holds plans, runs, steps, statements and approvals."""

    name = "backend.operations.runs"
    label = "runs"

    def ready(self) -> None:
        """What waits and came from a stolen token is withdrawn with it."""
        from backend.identity.accounts import token_services
        from backend.operations.runs.services.withdrawal import withdraw_of_token

        token_services.register_withdrawal(withdraw_of_token)
