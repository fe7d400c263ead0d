"""Keyed MACs that bind a stored row to the console: write access to its database alone is not enough to make one.

The keys are derived from those that seal credentials, which every process that creates or executes runs has.
"""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac


def mac_of(purpose: str, *parts: Any) -> str:
    """HMAC-SHA256 in hex under a key of this purpose, derived from the first credentials key."""
    return _mac(purpose, parts, settings.HAWSER_CREDENTIALS_KEYS[0])


def is_mac_of(mac: str, purpose: str, *parts: Any) -> bool:
    """Whether the MAC was made with the first credentials key or with an older one that is still listed."""
    return any(constant_time_compare(mac, _mac(purpose, parts, key)) for key in settings.HAWSER_CREDENTIALS_KEYS)


def _mac(purpose: str, parts: tuple[Any, ...], secret: str) -> str:
    message = json.dumps(parts, separators=(",", ":"), default=str)
    return salted_hmac(f"hawser.{purpose}", message, secret=secret, algorithm="sha256").hexdigest()
