"""The URL of a webhook: encrypted like a password, decrypted for a call, represented in a plan by a digest only."""

from __future__ import annotations

from backend.common.keyed_mac import is_mac_of, mac_of
from backend.common.sealing import seal, unseal
from backend.notifications.hooks.models import Hook

URL_ROLE = "webhook url"
"""The purpose under which the URL is encrypted for a webhook's id; nothing else can decrypt it."""
_PURPOSE = "webhook address"


def seal_url(url: str, *, hook_id: str) -> str:
    """The URL, readable only with the console's key and only for this webhook."""
    return seal(url, cluster_id=hook_id, role=URL_ROLE)


def open_url(hook: Hook) -> str:
    """The URL; raises SealError."""
    return unseal(hook.sealed_url, cluster_id=hook.id, role=URL_ROLE)


def address_digest(hook: Hook) -> str:
    """Detects a URL that changed since a plan was made; keyed, because every user sees a plan. Raises SealError."""
    return mac_of(_PURPOSE, hook.id, open_url(hook))


def is_address_digest(digest: str, hook: Hook) -> bool:
    """Whether the webhook has the URL of that digest. Raises SealError."""
    return is_mac_of(digest, _PURPOSE, hook.id, open_url(hook))
