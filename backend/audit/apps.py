"""Django application of the audit log."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig, apps
from django.apps.registry import Apps
from django.core.exceptions import FieldDoesNotExist
from django.db.models.signals import post_migrate


class AuditConfig(AppConfig):
    """Holds the records and the head."""

    name = "backend.audit"
    label = "audit"

    def ready(self) -> None:
        """Continue a log from before the audit key with keyed records, as soon as its tables allow it."""
        post_migrate.connect(_open_keyed_chain, sender=self)


def _open_keyed_chain(*, apps: Apps = apps, **_signal: Any) -> None:
    from backend.audit.services import open_keyed_chain

    if _has_keys(apps):
        open_keyed_chain()


def _has_keys(apps: Apps) -> bool:
    """False after a migration back to a head without a MAC."""
    try:
        apps.get_model("audit", "AuditHead")._meta.get_field("mac")  # noqa: SLF001 - Django's own word
    except (LookupError, FieldDoesNotExist):
        return False
    return True
