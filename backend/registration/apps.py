"""Django application of the changes of a registration."""

from __future__ import annotations

from django.apps import AppConfig


class RegistrationConfig(AppConfig):
    """Changes the tables of clusters and links; its own hold the guided registrations that are not finished."""

    name = "backend.registration"
    label = "registration"

    def ready(self) -> None:
        """Register what confirming and rejecting the retirement of a protected link does."""
        from backend.clusters.selectors import link_name
        from backend.common.roles import Permission
        from backend.identity.accounts import protected_changes
        from backend.registration import retirement

        handler = protected_changes.Handler(
            retirement.retire_announced, retirement.keep_announced, Permission.LINKS, link_name
        )
        protected_changes.register({retirement.LINK_RETIREMENT: handler})
