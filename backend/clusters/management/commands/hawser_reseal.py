"""Seal everything that is sealed with the newest key, so that older keys can be dropped."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand
from django.db import transaction

from backend.audit import services as audit
from backend.clusters.sealing import reseal

SEALED = ("clusters.Credential", "hooks.Hook")
"""Models with a field `sealed`."""


class Command(BaseCommand):
    """`hawser_reseal`, after a new key was put in front of HAWSER_CREDENTIALS_KEY."""

    help = "Seal all stored passwords with the newest key."

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        """All or none; readers are not disturbed, old keys still open what they read."""
        count = 0
        for name in SEALED:
            for row in apps.get_model(name)._default_manager.select_for_update():  # noqa: SLF001 - Django's own word
                row.sealed = reseal(row.sealed)
                row.save(update_fields=["sealed"])
                count += 1
        audit.record(actor="command line", action="cli:credentials:reseal", facts={"count": count})
        self.stdout.write(f"resealed {count} credentials")
