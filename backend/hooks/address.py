"""The URL of a webhook: sealed at rest like a password, opened to call, told of in a plan by a digest alone."""

from __future__ import annotations

from django.utils.crypto import salted_hmac

from backend.clusters.sealing import seal, unseal
from backend.hooks.models import Hook

URL_ROLE = "webhook url"
"""Sealed for a webhook's id under this word; it opens for nothing else."""
_SALT = "backend.hooks.address"


def seal_url(url: str, *, hook_id: str) -> str:
    """The URL, readable only with the console's key and only for this webhook."""
    return seal(url, cluster_id=hook_id, role=URL_ROLE)


def open_url(hook: Hook) -> str:
    """The URL; raises SealError."""
    return unseal(hook.sealed_url, cluster_id=hook.id, role=URL_ROLE)


def address_digest(hook: Hook) -> str:
    """Tells a changed URL from the one that a plan was made with; keyed, since a plan is shown to all. SealError."""
    return salted_hmac(_SALT, f"{hook.id} {open_url(hook)}", algorithm="sha256").hexdigest()
