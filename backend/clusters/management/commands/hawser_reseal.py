"""Seal all stored passwords with the newest key, so that older keys can be dropped."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from backend.audit import services as audit
from backend.clusters.models import Credential
from backend.clusters.sealing import reseal


class Command(BaseCommand):
    """`hawser_reseal`, after a new key was put in front of HAWSER_CREDENTIALS_KEY."""

    help = "Seal all stored passwords with the newest key."

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        """All or none; readers are not disturbed, old keys still open what they read."""
        credentials = Credential.objects.select_for_update()
        for credential in credentials:
            credential.sealed = reseal(credential.sealed)
            credential.save(update_fields=["sealed"])
        audit.record(actor="command line", action="cli:credentials:reseal", facts={"count": len(credentials)})
        self.stdout.write(f"resealed {len(credentials)} credentials")
