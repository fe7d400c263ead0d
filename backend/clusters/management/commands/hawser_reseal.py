"""`hawser_reseal` encrypts every stored secret with the newest key, so that older keys can be removed."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db import transaction

from backend.audit import services as audit
from backend.common.commands import ConsoleCommand
from backend.common.sealing import reseal
from backend.core.plural import pluralize

SEALED = {
    "identities.ProviderSession": ("sealed_tokens",),
    "clusters.Cluster": ("tls_key_sealed",),
    "clusters.Credential": ("sealed", "other_sealed"),
    "hooks.Hook": ("sealed", "sealed_url"),
    "registration.DraftCredential": ("sealed",),
    "second_factors.Totp": ("sealed",),
    "web_push.PushSubscription": ("sealed",),
}
"""Models with their sealed fields."""


class Command(ConsoleCommand):
    """To be run after a new key was put first in HAWSER_CREDENTIALS_KEY."""

    help = "Encrypt all stored passwords, secrets and URLs with the first key of HAWSER_CREDENTIALS_KEY."
    examples = ("hawser_reseal",)

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        """Reseals all secrets in one transaction; readers are not disturbed, since old keys still decrypt."""
        count = 0
        for name, fields in SEALED.items():
            for row in apps.get_model(name)._default_manager.select_for_update():  # noqa: SLF001 - Django's own word
                filled = [field for field in fields if getattr(row, field)]
                for field in filled:
                    setattr(row, field, reseal(getattr(row, field)))
                row.save(update_fields=filled)
                count += len(filled)
        audit.record(actor="command line", action="cli:credentials:reseal", facts={"count": count})
        self.stdout.write(f"resealed {pluralize(count, 'secret')}")
