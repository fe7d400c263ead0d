"""Encrypts passwords with keys of their own; each is bound to one cluster and role."""

from __future__ import annotations

import json

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


class SealError(Exception):
    """A password cannot be decrypted: wrong key, or moved from another row."""


def seal(password: str, *, cluster_id: str, role: str) -> str:
    """The encrypted password, readable only with the key and only for this cluster and role."""
    content = json.dumps({"for": [cluster_id, role], "password": password})
    return _keys().encrypt(content.encode()).decode()


def unseal(sealed: str, *, cluster_id: str, role: str) -> str:
    """The password; raises SealError."""
    try:
        content = json.loads(_keys().decrypt(sealed.encode()))
    except InvalidToken as error:
        raise SealError(f"The {role} password of {cluster_id} cannot be decrypted with the configured keys.") from error
    if content["for"] != [cluster_id, role]:
        raise SealError(f"The {role} password of {cluster_id} was encrypted for another account.")
    return str(content["password"])


def reseal(sealed: str) -> str:
    """The same content, encrypted with the newest key."""
    return _keys().rotate(sealed.encode()).decode()


def _keys() -> MultiFernet:
    try:
        return MultiFernet([Fernet(key) for key in settings.HAWSER_CREDENTIALS_KEYS])
    except ValueError as error:
        message = "HAWSER_CREDENTIALS_KEY must hold url-safe base64 keys of 32 bytes, newest first"
        raise ImproperlyConfigured(message) from error
