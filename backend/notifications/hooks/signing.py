"""Signs calls: HMAC-SHA256 over time and body, so that a receiver knows who calls and when."""

from __future__ import annotations

import hashlib
import hmac

from backend.common.sealing import seal, unseal

_ROLE = "webhook"
"""The purpose under which the secret is encrypted for a webhook's id; nothing else can decrypt it."""


def seal_secret(secret: str, *, hook_id: str) -> str:
    """The secret, readable only with the console's key and only for this webhook."""
    return seal(secret, cluster_id=hook_id, role=_ROLE)


def open_secret(sealed: str, *, hook_id: str) -> str:
    """The secret; raises SealError."""
    return unseal(sealed, cluster_id=hook_id, role=_ROLE)


def signature(secret: str, body: bytes, *, at_s: int) -> str:
    """The `Hawser-Signature` header: `t=UNIX TIME,v1=HMAC of "TIME.BODY"` in hexadecimal."""
    signed = hmac.new(secret.encode(), f"{at_s}.".encode() + body, hashlib.sha256)
    return f"t={at_s},v1={signed.hexdigest()}"
