"""Creates and recognises tokens; 256 random bits need no slow hash."""

from __future__ import annotations

import hashlib
import secrets

PREFIX = "hawser_"


def new_secret() -> str:
    """A new token as its owner sees it, once."""
    return PREFIX + secrets.token_urlsafe(32)


def digest_of(secret: str | bytes) -> str:
    """The stored digest of a token."""
    raw = secret.encode() if isinstance(secret, str) else secret
    return hashlib.sha256(raw).hexdigest()
