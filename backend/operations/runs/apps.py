"""Django application of plans and runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import AppConfig

if TYPE_CHECKING:
    from backend.identity.accounts.models import ApiToken


class RunsConfig(AppConfig):
    """Holds plans, runs, steps, statements and approvals."""

    name = "backend.operations.runs"
    label = "runs"

    def ready(self) -> None:
        """What waits and came from a stolen token is withdrawn with it."""
        from backend.identity.accounts import token_services

        token_services.register_withdrawal(_withdraw_of_token)


def _withdraw_of_token(actor: str, token: ApiToken) -> list[str]:
    """Imported with the first stolen token: the client of Redis, which comes with it, slows a start down."""
    from backend.operations.runs.services.withdrawal import withdraw_of_token

    return withdraw_of_token(actor, token)
