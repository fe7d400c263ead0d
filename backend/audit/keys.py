"""The audit keys. They are not in the database: write access to it is not enough to continue or rewrite the chain.

The newest key writes. Older ones stay listed as long as their records are to be verified.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import rfc8785
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

_KEY_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class KeyRing:
    """Secrets by their id, and the id of the one that writes."""

    newest_id: str
    secrets: Mapping[str, bytes]

    @property
    def newest(self) -> bytes:
        """The secret that writes."""
        return self.secrets[self.newest_id]

    def mac(self, purpose: str, content: Mapping[str, Any], *, key_id: str = "") -> str:
        """A MAC over plain data for one purpose; blank if that key is not listed."""
        secret = self.secrets.get(key_id or self.newest_id)
        if secret is None:
            return ""
        text = rfc8785.dumps({"purpose": purpose, **content})
        return hmac.new(secret, text, hashlib.sha256).hexdigest()

    def is_genuine(self, mac: str, purpose: str, content: Mapping[str, Any], *, key_id: str) -> bool:
        """Whether the MAC was made with that key for this purpose and data."""
        return bool(mac and key_id) and hmac.compare_digest(
            mac.encode(), self.mac(purpose, content, key_id=key_id).encode()
        )


def key_ring() -> KeyRing:
    """The keys of the settings; raises ImproperlyConfigured."""
    return _parsed(tuple(settings.HAWSER_AUDIT_KEYS))


def key_id_of(secret: bytes) -> str:
    """An id of a key that does not reveal it."""
    return hmac.new(secret, b"hawser audit key id", hashlib.sha256).hexdigest()[:16]


@cache
def _parsed(texts: tuple[str, ...]) -> KeyRing:
    secrets = [_secret(text) for text in texts]
    if not secrets:
        raise ImproperlyConfigured("Set HAWSER_AUDIT_KEY or HAWSER_AUDIT_KEY_FILE")
    return KeyRing(key_id_of(secrets[0]), {key_id_of(secret): secret for secret in secrets})


def _secret(text: str) -> bytes:
    try:
        secret = base64.b64decode(text, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        secret = b""
    if len(secret) != _KEY_BYTES:
        raise ImproperlyConfigured("HAWSER_AUDIT_KEY must hold url-safe base64 keys of 32 bytes, newest first")
    return secret
