"""Seal everything that is sealed with the newest key, so that older keys can be dropped."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand
from django.db import transaction

from backend.audit import services as audit
from backend.clusters.sealing import reseal

SEALED = {"clusters.Credential": ("sealed",), "hooks.Hook": ("sealed", "sealed_url")}
"""Models with their sealed fields."""


class Command(BaseCommand):
    """`hawser_reseal`, after a new key was put in front of HAWSER_CREDENTIALS_KEY."""

    help = "Seal all stored passwords, webhook secrets and URLs with the newest key."

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        """All or none; readers are not disturbed, old keys still open what they read."""
        count = 0
        for name, fields in SEALED.items():
            for row in apps.get_model(name)._default_manager.select_for_update():  # noqa: SLF001 - Django's own word
                for field in fields:
                    setattr(row, field, reseal(getattr(row, field)))
                row.save(update_fields=fields)
                count += len(fields)
        audit.record(actor="command line", action="cli:credentials:reseal", facts={"count": count})
        self.stdout.write(f"resealed {count} secrets")
